import type { AgentDraft } from '@troupe/builder-contract'
import { type AgentConfig, DomainError } from '@troupe/contract'
import type { AgentRecord, Database } from '@troupe/database'
import { mergeUsableConfig } from '@troupe/operations/agents/merge-usable-config'
import { requireUsableAgent } from '@troupe/operations/agents/require-usable-agent'
import { requireSources, type ToolSourceCheck } from '@troupe/operations/agents/source-check'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** What an agent or a team is while nothing of it is stored. */
export interface DraftContent<C> {
  name: string
  description: string | null
  config: C
}

/**
 * The draft of an agent with its whole configuration, which could be saved as it is.
 *
 * @throws DomainError as the operation that would save it
 */
export async function usableAgentDraft(
  { database, toolSources }: { database: Pick<Database, 'transaction'>; toolSources: ToolSourceCheck },
  caller: BuilderCaller,
  { id, projectId, ...agent }: Pick<AgentRecord, 'id' | 'projectId' | 'name' | 'description'>,
  { name = agent.name, description = agent.description, config: given }: AgentDraft,
): Promise<DraftContent<AgentConfig>> {
  const merged = mergeUsableConfig(given)
  if (!merged.ok) {
    const errors = merged.errors.map(({ path, message }) => ({ path: `draft.${path}`, message }))
    throw new DomainError('validation_error', 'The draft is not valid.', { errors })
  }
  const { config } = merged
  await requireSources(toolSources, config.tools)
  await database.transaction((tx) => requireUsableAgent(tx, caller, { id, projectId, config }))
  return { name, description, config }
}
