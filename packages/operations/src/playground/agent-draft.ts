import { type AgentConfig, DomainError } from '@troupe/contract'
import type { AgentDraft } from '@troupe/contract/builder'
import type { AgentRecord, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { requireKnowledgeBases } from '../agents/knowledge-references.ts'
import { requireLlmConfigurations } from '../agents/llm-references.ts'
import { mergeUsableConfig } from '../agents/merge-usable-config.ts'
import { requireSources, type ToolSourceCheck } from '../agents/source-check.ts'
import { requireToolReferences } from '../agents/tool-references.ts'
import { agentCredentials } from '../credentials/credential-references.ts'
import { requireCredentials } from '../credentials/require-credentials.ts'
import { requireSkills } from '../skills/require-skills.ts'

/** Content of an unsaved agent or team. */
export interface DraftContent<C> {
  name: string
  description: string | null
  config: C
}

/**
 * A draft of an agent, completed to a configuration that could be saved unchanged.
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
