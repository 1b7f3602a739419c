import type { Scope } from '@troupe/agents/ports'
import type { AgentConfig, AgentId, ProjectId } from '@troupe/contract'
import type { Transaction } from '@troupe/database'
import { requireCredentials } from '../credentials/require-credentials.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { requireKnowledgeBases } from './knowledge-references.ts'
import { requireLlmConfigurations } from './llm-references.ts'
import { requireToolReferences } from './tool-references.ts'

/**
 * Checks everything that an agent's configuration refers to.
 *
 * @param agent its id is null while it is not stored
 * @throws DomainError `validation_error`, `llm_configuration_not_found`, `credential_not_found` or `model_price_missing`
 */
export async function requireUsableAgent(
  { read, write }: Pick<Transaction, 'read' | 'write'>,
  scope: Scope,
  agent: { id: AgentId | null; projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  await requireLlmConfigurations((visibleTo) => read.llmConfigurations.visible(visibleTo), scope, agent)
  await requireCredentials(read, scope, agent)
  await requireToolReferences(read, scope, agent)
  await requireKnowledgeBases(read, scope, agent)
  await requireSkills({ read, write }, scope, agent)
}
