import type { AgentDraft } from '@troupe/builder-contract'
import { type AgentConfig, DomainError } from '@troupe/contract'
import type { AgentRecord, Readers } from '@troupe/database'
import { requireKnowledgeBases } from '@troupe/operations/agents/knowledge-references'
import { requireLlmConfigurations } from '@troupe/operations/agents/llm-references'
import { mergeUsableConfig } from '@troupe/operations/agents/merge-usable-config'
import { requireSources, type ToolSourceCheck } from '@troupe/operations/agents/source-check'
import { requireToolReferences } from '@troupe/operations/agents/tool-references'
import { agentCredentials } from '@troupe/operations/credentials/credential-references'
import { requireCredentials } from '@troupe/operations/credentials/require-credentials'
import { requireSkills } from '@troupe/operations/skills/require-skills'
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
  { database: { read }, toolSources }: { database: { read: Readers }; toolSources: ToolSourceCheck },
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
  await requireSources(toolSources, caller.organizationId, config.tools)
  const agentToBe = { id, projectId, config }
  await requireLlmConfigurations((visibleTo) => read.llmConfigurations.visible(visibleTo), caller, agentToBe)
  await requireCredentials(read, caller, { projectId, references: agentCredentials(config) })
  await requireToolReferences(read, caller, agentToBe)
  await requireKnowledgeBases(read, caller, agentToBe)
  await requireSkills(read, caller, agentToBe)
  return { name, description, config }
}
