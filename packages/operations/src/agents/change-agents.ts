import { asId, type BodyOf } from '@troupe/contract'
import type { AgentDetails, BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type Created, createOnce } from '../changes/create-once.ts'
import { checkBase } from '../versions/check-base.ts'
import { copyName } from '../versions/copy-name.ts'
import { findVersion, versionOwner } from '../versions/read-versions.ts'
import { type CreateAgentParts, createAgent } from './create-agent.ts'
import { type AgentReads, findAgentDetails, getAgentDetails } from './read-agents.ts'
import { withWarnings } from './save-warnings.ts'
import { updateAgent } from './update-agent.ts'

type Operations = typeof BUILDER_OPERATIONS

/** Dependencies of changing agents. */
export type AgentChanges = AgentReads &
  CreateAgentParts & { database: Pick<Database, 'overviews' | 'versions' | 'transaction'> }

/**
 * Creates a draft; a repeated id returns the existing agent.
 *
 * @throws DomainError as the public operation, and `id_taken`
 */
export async function createAgentOnce(
  parts: AgentChanges,
  caller: BuilderCaller,
  { id, ...body }: BodyOf<Operations['createAgent']>,
): Promise<Created<AgentDetails>> {
  const newId = id === undefined ? parts.newId : () => asId(id.toLowerCase())
  return createOnce(
    async () => (id === undefined ? null : findAgentDetails(parts, caller, id)),
    async () => {
      const { agentId, warnings } = await createAgent({ ...parts, newId }, caller, caller.actor, body)
      return withWarnings(await getAgentDetails(parts, caller, agentId), warnings)
    },
  )
}

/**
 * Changes an agent if `baseVersionId` is its current version.
 *
 * @throws DomainError as the public operation, and `version_conflict`
 */
export async function changeAgent(
  parts: AgentChanges,
  caller: BuilderCaller,
  agentId: string,
  { baseVersionId, replace = false, ...body }: BodyOf<Operations['updateAgent']>,
): Promise<AgentDetails> {
  const check = checkBase(caller, 'agent', baseVersionId)
  const { warnings } = await updateAgent(parts, caller, caller.actor, agentId, body, { replace, check })
  return withWarnings(await getAgentDetails(parts, caller, agentId), warnings)
}

/**
 * Copies an agent as a draft, into its own project unless the body names another.
 *
 * @throws DomainError as the public operation to create one, and `agent_not_found`
 */
export async function duplicateAgent(
  parts: AgentChanges,
  caller: BuilderCaller,
  agentId: string,
  body: BodyOf<Operations['duplicateAgent']>,
): Promise<AgentDetails> {
  const original = await getAgentDetails(parts, caller, agentId)
  const { name = copyName(original.name), projectId = original.projectId } = body
  const { description, config } = original
  const { agentId: copyId, warnings } = await createAgent(parts, caller, caller.actor, {
    name,
    description,
    projectId,
    config,
  })
  return withWarnings(await getAgentDetails(parts, caller, copyId), warnings)
}

/**
 * Restores a version's name, description and configuration as a new version.
 *
 * @throws DomainError as the public operation to change one, `version_not_found` and `version_conflict`
 */
export async function restoreAgentVersion(
  parts: AgentChanges,
  caller: BuilderCaller,
  { agentId, versionId }: { agentId: string; versionId: string },
  { baseVersionId }: BodyOf<Operations['restoreAgentVersion']>,
): Promise<AgentDetails> {
  const check = checkBase(caller, 'agent', baseVersionId)
  const { name, description, config } = await findVersion(
    parts,
    versionOwner(caller, 'agent', agentId),
    versionId,
  )
  const options = { replace: true, check, action: 'agent.restored' } as const
  const { warnings } = await updateAgent(
    parts,
    caller,
    caller.actor,
    agentId,
    { name, description, config },
    options,
  )
  return withWarnings(await getAgentDetails(parts, caller, agentId), warnings)
}
