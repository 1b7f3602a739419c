import {
  AgentVersionId,
  newId,
  PhoneNumberId,
  PhoneTrunkId,
  VoiceConfigurationId,
  VoiceSessionId,
} from '@troupe/contract'
import { SEEDED_TRUNK } from '@troupe/test-kit/seed-calls'
import type { CallAdmission, CallIdempotency, NewOutboundCall } from '@troupe/voice'
import type { Database } from '../../src/database.ts'
import type { WrittenPhoneTrunk } from '../../src/phone/port.ts'
import { budgetOf } from './budget-fixture.ts'
import { createTenant, SYSTEM, type Tenant } from './tenant.ts'
import { everyWorker } from './voice-room.ts'

export const MINUTE_MICROS = 1_000_000

/** An organization that can call: a voice agent, a trunk with a number, and a budget of voice minutes. */
export interface CallTenant extends Tenant {
  trunkId: PhoneTrunkId
  phoneNumberId: PhoneNumberId
  voiceConfigId: VoiceConfigurationId
  agentId: NewOutboundCall['agentId']
  agentVersionId: NewOutboundCall['agentVersionId']
}

function trunkOf(
  { organizationId }: Pick<Tenant, 'organizationId'>,
  changes: Partial<WrittenPhoneTrunk> = {},
): WrittenPhoneTrunk {
  const id = newId(PhoneTrunkId)
  return {
    ...SEEDED_TRUNK,
    ...{ id, organizationId, projectId: null, slug: id, provisioning: 'auto', lkTrunkId: 'ST_1' },
    ...{ provisionedAt: new Date(), maxConcurrentCalls: 5, maxCps: 1, maxCallsPerDestinationPerHour: 3 },
    ...changes,
  }
}

export async function createCallTenant(
  db: Database,
  { minutes, trunk: changes = {} }: { minutes: number; trunk?: Partial<WrittenPhoneTrunk> },
): Promise<CallTenant> {
  const tenant = await createTenant(db)
  const { organizationId } = tenant
  const agent = tenant.agent()
  const trunk = trunkOf(tenant, changes)
  const [voiceConfigId, phoneNumberId] = [newId(VoiceConfigurationId), newId(PhoneNumberId)]
  const agentVersionId = await db.transaction(async ({ read, write }) => {
    await write.agents.insert(agent, SYSTEM)
    await write.voiceConfigurations.insert({
      id: voiceConfigId,
      organizationId,
      projectId: null,
      slug: 'voice',
      agentId: agent.id,
      sttProvider: 'local-pocketsphinx',
      ttsProvider: 'local-flite',
      sttCredentialId: null,
      ttsCredentialId: null,
      settings: {},
    })
    await write.phone.insertTrunk(trunk)
    const { id: trunkId, projectId } = trunk
    const number = { id: phoneNumberId, organizationId, projectId, trunkId, slug: 'desk', voiceConfigId }
    await write.phone.insertNumber({ ...number, e164: '+442079460100' })
    const metric = 'voice_minutes'
    await write.budgets.put(budgetOf(tenant, { metric, limitMicros: minutes * MINUTE_MICROS }))
    return (await read.agents.byId(organizationId, agent.id))?.versionId ?? newId(AgentVersionId)
  })
  return { ...tenant, trunkId: trunk.id, phoneNumberId, voiceConfigId, agentId: agent.id, agentVersionId }
}

/** A call of the tenant that rings at `at`. */
export function callOf(
  tenant: CallTenant,
  at: Date,
  changes: Partial<NewOutboundCall> = {},
): NewOutboundCall {
  const id = newId(VoiceSessionId)
  const { organizationId, apiKeyId, agentId, agentVersionId, voiceConfigId, trunkId, phoneNumberId } = tenant
  return {
    id,
    organizationId,
    projectId: null,
    apiKeyId,
    agentId,
    agentVersionId,
    voiceConfigId,
    roomName: `call_${id}`,
    participantIdentity: 'callee-1',
    createdAt: at,
    expiresAt: new Date(at.getTime() + 1_830_000),
    phaseDeadline: new Date(at.getTime() + 15_000),
    jobTokenHash: 'hash',
    trunkId,
    phoneNumberId,
    toE164: '+442079460999',
    toCountry: 'GB',
    fromE164: '+442079460100',
    ...changes,
  }
}

/** Opens a call without checking the caps. */
export async function openUnlimited(
  db: Database,
  call: NewOutboundCall,
  grant: (remaining: number[]) => number,
  idempotency: CallIdempotency | null = null,
) {
  const options = { idempotency, maxCps: 1, ...(await everyWorker(db)) }
  return db.voice.calls.open(call, options, ({ remaining }: CallAdmission) => {
    const reservedS = remaining.length === 0 ? 0 : grant(remaining)
    return reservedS === 0 ? { refusal: remaining } : { reservedS }
  })
}
