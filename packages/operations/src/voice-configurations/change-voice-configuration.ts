import {
  AgentId,
  CredentialId,
  checkedId,
  DomainError,
  type IdText,
  invalidField,
  invalidRequest,
  type NewId,
  type OrganizationId,
  parseId,
  VoiceConfigurationId,
} from '@troupe/contract'
import type {
  CreateVoiceConfigurationBody,
  UpdateVoiceConfigurationBody,
  VoiceConfiguration,
} from '@troupe/contract/builder'
import type { AgentRecord, Database, NewVoiceConfiguration, Readers } from '@troupe/storage'
import { maySpeakOn } from '@troupe/voice'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { auditChange } from '../changes/audit-change.ts'
import { requireVersion } from '../changes/require-version.ts'
import { settleOwn } from '../changes/settle-saved.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { Unchanged } from '../handlers/handler.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { auditedVoiceConfiguration } from './audited-voice-configuration.ts'
import { findVoiceConfiguration, showVoiceConfiguration } from './find-voice-configuration.ts'
import { speechCredentialFaults, voiceSettingsFaults } from './voice-faults.ts'

/** Dependencies of the operations. */
export interface ChangeVoiceConfigurationParts {
  database: Pick<Database, 'read' | 'transaction'>
  newId: NewId
}

/**
 * @throws DomainError `validation_error` with every failure, `agent_not_found`, `agent_archived`, `in_use` if the agent
 * already has a voice, `slug_taken`, `id_taken`
 */
export async function createVoiceConfiguration(
  { database, newId }: ChangeVoiceConfigurationParts,
  caller: BuilderCaller,
  body: CreateVoiceConfigurationBody,
): Promise<VoiceConfiguration | Unchanged<VoiceConfiguration>> {
  const { organizationId } = caller
  const id: VoiceConfigurationId =
    body.id === undefined
      ? newId(VoiceConfigurationId)
      : checkedId(VoiceConfigurationId, body.id.toLowerCase())
  return database.transaction(async (tx) => {
    // Of two requests with one id, the second finds the configuration of the first. Two with one agent also wait here.
    await tx.write.organizations.lock(organizationId)
    const existing = body.id === undefined ? null : await tx.read.voiceConfigurations.byId(organizationId, id)
    if (existing) return new Unchanged(await showVoiceConfiguration(tx.read, organizationId, id))
    const agent = await speakingAgent(tx.read, organizationId, body.agentId, id)
    const record: NewVoiceConfiguration = {
      id,
      organizationId,
      projectId: agent.projectId,
      slug: body.slug,
      agentId: agent.id,
      sttProvider: body.sttProvider,
      ttsProvider: body.ttsProvider,
      sttCredentialId: idOf(body.sttCredentialId ?? null),
      ttsCredentialId: idOf(body.ttsCredentialId ?? null),
      settings: body.settings ?? {},
    }
    await requireUsable(tx.read, record)
    await namingTaken(tx.write.voiceConfigurations.insert(record))
    await auditChange(tx, caller, 'voice_configuration', null, record, auditedVoiceConfiguration)
    return showVoiceConfiguration(tx.read, organizationId, id)
  })
}

/**
 * Changes the given fields; `settings` is replaced as a whole.
 *
 * @throws DomainError `voice_configuration_not_found`, `version_conflict`, and those of {@link createVoiceConfiguration}
 */
export async function updateVoiceConfiguration(
  { database }: Pick<ChangeVoiceConfigurationParts, 'database'>,
  caller: BuilderCaller,
  voiceConfigId: IdText<VoiceConfigurationId>,
  body: UpdateVoiceConfigurationBody,
): Promise<VoiceConfiguration> {
  const { organizationId } = caller
  return database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findVoiceConfiguration(tx.read, organizationId, voiceConfigId)
    await requireVersion(tx.read, caller, { ...before, kind: 'voice_configuration' }, body.version)
    const isMoved = body.agentId !== undefined && parseId(AgentId, body.agentId) !== before.agentId
    const { id: agentId, projectId } = isMoved
      ? await speakingAgent(tx.read, organizationId, body.agentId ?? '', before.id)
      : { id: before.agentId, projectId: before.projectId }
    const after: NewVoiceConfiguration = {
      id: before.id,
      organizationId,
      projectId,
      slug: body.slug ?? before.slug,
      agentId,
      sttProvider: body.sttProvider ?? before.sttProvider,
      ttsProvider: body.ttsProvider ?? before.ttsProvider,
      sttCredentialId:
        body.sttCredentialId === undefined ? before.sttCredentialId : idOf(body.sttCredentialId),
      ttsCredentialId:
        body.ttsCredentialId === undefined ? before.ttsCredentialId : idOf(body.ttsCredentialId),
      settings: body.settings ?? before.settings,
    }
    if (isMoved) await requireNumbersOf(tx.read, after)
    await requireUsable(tx.read, after)
    await namingTaken(tx.write.voiceConfigurations.update(after))
    await settleOwn(tx, caller, { kind: 'voice_configuration', thingId: before.id }, body.savedChanges)
    await auditChange(tx, caller, 'voice_configuration', before, after, auditedVoiceConfiguration)
    return showVoiceConfiguration(tx.read, organizationId, before.id)
  })
}

/** @throws DomainError `voice_configuration_not_found`, or `in_use` naming a phone number */
export async function deleteVoiceConfiguration(
  { database }: Pick<ChangeVoiceConfigurationParts, 'database'>,
  caller: BuilderCaller,
  voiceConfigId: IdText<VoiceConfigurationId>,
): Promise<void> {
  const { organizationId } = caller
  await database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const before = await findVoiceConfiguration(tx.read, organizationId, voiceConfigId)
    const [number, ...others] = await tx.read.phone.numbersOf(organizationId, before.id)
    if (number) {
      const more = others.length === 0 ? ' still uses' : ` and ${others.length} more still use`
      throw new DomainError('in_use', `The phone number ${number.e164}${more} this voice configuration.`)
    }
    await tx.write.voiceConfigurations.delete(organizationId, before.id)
    await auditChange(tx, caller, 'voice_configuration', before, null, auditedVoiceConfiguration)
  })
}

/** The agent of the new voice. @throws DomainError `agent_not_found`, `agent_archived`, `in_use` */
async function speakingAgent(
  read: Pick<Readers, 'agents' | 'voiceConfigurations'>,
  organizationId: OrganizationId,
  agentId: IdText<AgentId>,
  voiceConfigId: VoiceConfigurationId,
): Promise<AgentRecord> {
  const scope = { organizationId, projectId: null }
  const agent = await findRunnable('agent', read.agents.byId, scope, agentId.toLowerCase())
  if (agent.status === 'archived') {
    throw new DomainError('agent_archived', `The agent “${agent.name}” is archived and cannot speak.`)
  }
  const other = await read.voiceConfigurations.byAgent(organizationId, agent.id)
  if (other && other.id !== voiceConfigId) {
    throw new DomainError(
      'in_use',
      `The agent “${agent.name}” already has the voice configuration ${other.slug}.`,
    )
  }
  return agent
}

/** An agent with a voice of phone numbers must be permitted to speak on their trunks. */
async function requireNumbersOf(
  { phone }: Pick<Readers, 'phone'>,
  { organizationId, id, projectId }: NewVoiceConfiguration,
): Promise<void> {
  // A number has the project of its trunk.
  const foreign = (await phone.numbersOf(organizationId, id)).filter((row) => !maySpeakOn(row, { projectId }))
  if (foreign.length === 0) return
  const numbers = foreign.map(({ e164 }) => e164).join(', ')
  throw invalidField('agentId', `does not belong to the project of the trunks of the numbers ${numbers}`)
}

/** @throws DomainError `validation_error` with every failure */
async function requireUsable(
  { credentials }: Pick<Readers, 'credentials'>,
  configuration: NewVoiceConfiguration,
): Promise<void> {
  const stored = await credentials.list(configuration.organizationId)
  const byId = new Map<string, VoiceCredential>(stored.map((one) => [one.id, one]))
  const errors = [
    ...voiceSettingsFaults(configuration),
    ...speechCredentialFaults(configuration, configuration.projectId, (id) => byId.get(id.toLowerCase())),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
}

type VoiceCredential = Awaited<ReturnType<Readers['credentials']['list']>>[number]

function idOf(credentialId: IdText<CredentialId> | null): NewVoiceConfiguration['sttCredentialId'] {
  return credentialId === null ? null : parseId(CredentialId, credentialId)
}
