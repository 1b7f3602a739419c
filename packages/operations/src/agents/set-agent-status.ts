import { type AgentId, type AgentStatus, DomainError, type IdText } from '@troupe/contract'
import type { AgentDetails } from '@troupe/contract/builder'
import type { Database, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedRunnable } from '../runnables/audited-runnable.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { getDetails, type RunnableReads } from '../runnables/read-runnables.ts'
import { describeUse } from './describe-use.ts'

const NEXT: Readonly<Record<AgentStatus, readonly AgentStatus[]>> = {
  draft: ['active', 'archived'],
  active: ['draft', 'archived'],
  archived: ['draft'],
}

/** Dependencies of the operation. */
export interface SetStatusParts extends RunnableReads {
  database: Pick<Database, 'overviews' | 'transaction'>
  configChanges: ConfigChanges
}

/**
 * Changes the status of an agent; the same status again changes nothing.
 *
 * @throws DomainError `agent_not_found`, `invalid_state` for an archived agent that was not made a draft first, or
 * `agent_in_use` when a team, a published workflow, another agent or a phone number needs the agent that would be
 * archived
 */
export async function setAgentStatus(
  parts: SetStatusParts,
  caller: BuilderCaller,
  agentId: IdText<AgentId>,
  status: AgentStatus,
): Promise<AgentDetails> {
  const { organizationId, actor } = caller
  await parts.database.transaction(async ({ read, write }) => {
    // Every change of an agent's configuration, a team, a voice or a number, and every publish, holds this lock, so
    // that none of them misses the archiving.
    if (status === 'archived') await write.organizations.lock(organizationId)
    const before = await findRunnable('agent', write.agents.lock, caller, agentId)
    if (before.status === status) return
    if (!NEXT[before.status].includes(status)) {
      throw new DomainError(
        'invalid_state',
        'An archived agent becomes a draft before it can be active again.',
      )
    }
    if (status === 'archived') await requireUnused(read, caller, before.id)
    const after = await write.agents.setStatus(organizationId, before.id, status)
    await write.audit.append({
      organizationId,
      projectId: after.projectId,
      actor,
      action: 'agent.status_changed',
      entityKind: 'agent',
      entityId: after.id,
      before: auditedRunnable(before),
      after: auditedRunnable(after),
    })
  })
  parts.configChanges.committed(organizationId)
  return getDetails(parts, caller, 'agent', agentId)
}

async function requireUnused(
  read: Pick<Readers, 'builder' | 'phone' | 'teams' | 'voiceConfigurations' | 'workflows'>,
  { organizationId }: BuilderCaller,
  id: Parameters<Readers['teams']['teamsOf']>[1],
): Promise<void> {
  const teams = await read.teams.teamsOf(organizationId, id)
  const workflows = await read.workflows.publishedWith(organizationId, { kind: 'agent', id })
  const voice = await read.voiceConfigurations.byAgent(organizationId, id)
  const use = describeUse(teams, workflows, {
    agents: await read.builder.resourceUsers.callingAgents(organizationId, id),
    numbers: voice ? await read.phone.numbersOf(organizationId, voice.id) : [],
  })
  if (use !== null) throw new DomainError('agent_in_use', `The agent ${use}.`)
}
