import { randomUUID } from 'node:crypto'
import {
  type AgentId,
  newId,
  type OrganizationId,
  PhoneNumberId,
  PhoneTrunkId,
  type ProjectId,
  VoiceConfigurationId,
  type VoiceSettings,
} from '@troupe/contract'
import type { Database, WrittenPhoneTrunk } from '@troupe/storage'

/** The parts of a phone call's configuration. */
export interface CallSeed {
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** The agent of the call; it gets a voice configuration unless it has one. */
  agentId: AgentId
  /** Fields of the trunk; by default an outbound one to London without narrow caps. */
  trunk?: Partial<WrittenPhoneTrunk>
  /** Settings of the voice configuration that the agent gets. */
  settings?: VoiceSettings
  /** The organization's budget; 100 by default, null for none. */
  minutes?: number | null
}

/** The ids for a call. */
export interface SeededCalls {
  trunkId: PhoneTrunkId
  phoneNumberId: PhoneNumberId
  voiceConfigId: VoiceConfigurationId
}

/** The caller id of seeded trunks. */
export const SEEDED_NUMBER = '+442079460100'

/** Inserts a trunk with a number, a voice configuration and a budget of voice minutes. */
export async function seedCalls(
  database: Pick<Database, 'transaction'>,
  { organizationId, projectId, agentId, trunk = {}, settings = {}, minutes = 100 }: CallSeed,
): Promise<SeededCalls> {
  const trunkId: PhoneTrunkId = newId(PhoneTrunkId)
  const phoneNumberId: PhoneNumberId = newId(PhoneNumberId)
  return database.transaction(async ({ read, write }) => {
    const stored = await read.voiceConfigurations.byAgent(organizationId, agentId)
    const voiceConfigId: VoiceConfigurationId = stored?.id ?? newId(VoiceConfigurationId)
    if (!stored) {
      await write.voiceConfigurations.insert({
        ...{ id: voiceConfigId, organizationId, projectId, agentId, slug: `voice-${agentId}` },
        ...{ sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' },
        ...{ sttCredentialId: null, ttsCredentialId: null, settings },
      })
    }
    await write.phone.insertTrunk({
      ...SEEDED_TRUNK,
      ...{ id: trunkId, organizationId, projectId, slug: `out-${trunkId}`, provisionedAt: new Date() },
      ...trunk,
    })
    const number = { id: phoneNumberId, organizationId, projectId, trunkId, voiceConfigId }
    await write.phone.insertNumber({ ...number, slug: `desk-${trunkId}`, e164: SEEDED_NUMBER })
    const budgets = await read.budgets.list(organizationId)
    const budget = budgets.find((one) => one.metric === 'voice_minutes' && one.projectId === null)
    if (minutes !== null) {
      const limitMicros = minutes * 1_000_000
      const id = budget?.id ?? randomUUID()
      const period = 'month' as const
      await write.budgets.put({
        id,
        organizationId,
        projectId: null,
        metric: 'voice_minutes',
        limitMicros,
        period,
      })
    }
    return { trunkId, phoneNumberId, voiceConfigId }
  })
}

/** An outbound trunk to London with irrelevant caps. */
export const SEEDED_TRUNK: Omit<WrittenPhoneTrunk, 'id' | 'organizationId' | 'projectId' | 'slug'> = {
  name: 'Out',
  direction: 'outbound',
  status: 'active',
  provisioning: 'assumed',
  provisionedAt: null,
  provisionError: null,
  lkTrunkId: null,
  configHash: 'seeded',
  provisionedHash: 'seeded',
  address: 'sip.carrier.test:5060',
  transport: 'udp',
  authUsername: null,
  authPasswordEnc: null,
  fromUser: null,
  mediaEncryption: 'disabled',
  mediaTimeoutS: null,
  headers: {},
  numberFormat: 'e164_plus',
  defaultCountry: null,
  allowedCountries: ['GB'],
  blockedPrefixes: [],
  maxConcurrentCalls: 100,
  maxCps: 100,
  maxCallsPerDestinationPerHour: 100,
  dailyCallCap: null,
  quietHours: null,
  ringingTimeoutS: 30,
  maxCallS: 1_800,
}
