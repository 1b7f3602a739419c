import { type AgentConfig, DomainError, type ProjectId } from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/database'
import type { Scope } from '@troupe/runtime/ports'

interface Reference {
  path: string
  id: string
}

/** Every LLM configuration that an agent names, with its place. */
function llmReferences(config: AgentConfig): Reference[] {
  const { model, knowledge } = config
  const named: { path: string; id: string | null | undefined }[] = [
    { path: 'config.model.primary.llm_config_id', id: model.primary.llm_config_id },
    ...model.fallbacks.map((fallback, index) => ({
      path: `config.model.fallbacks.${index}.llm_config_id`,
      id: fallback.llm_config_id,
    })),
    { path: 'config.knowledge.rerank_llm_config_id', id: knowledge.rerank_llm_config_id },
  ]
  return named.flatMap(({ path, id }) => (id ? [{ path, id: id.toLowerCase() }] : []))
}

/**
 * Checks that every named configuration is connected, visible to the caller, and of the organization or of the agent's
 * own project; an organization-level agent may use any.
 *
 * @throws DomainError `llm_configuration_not_found` with every place
 */
export async function requireLlmConfigurations(
  visible: (scope: Scope) => Promise<LlmConfigurationRecord[]>,
  scope: Scope,
  agent: { projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  const references = llmReferences(agent.config)
  if (references.length === 0) return
  const usable = new Set<string>()
  for (const { id, projectId } of await visible(scope)) {
    if (agent.projectId === null || projectId === null || projectId === agent.projectId) usable.add(id)
  }
  const errors = references
    .filter(({ id }) => !usable.has(id))
    .map(({ path }) => ({ path, message: 'does not exist, is not connected or is not visible here' }))
  if (errors.length > 0) {
    throw new DomainError(
      'llm_configuration_not_found',
      'The configuration names an LLM configuration that does not exist, is not connected or is not visible here.',
      { errors },
    )
  }
}
