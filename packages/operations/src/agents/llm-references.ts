import type { Scope } from '@troupe/agents/ports'
import { type AgentConfig, DomainError, type ProjectId } from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/database'

/** An LLM configuration that something may name, with the place where it does; null names none. */
export interface LlmReference {
  path: string
  id: string | null | undefined
}

/** Every LLM configuration that a model names, with its place below `path`. */
export function llmReferencesOf(model: AgentConfig['model'], path: string): LlmReference[] {
  return [
    { path: `${path}.primary.llm_config_id`, id: model.primary.llm_config_id },
    ...model.fallbacks.map((fallback, index) => ({
      path: `${path}.fallbacks.${index}.llm_config_id`,
      id: fallback.llm_config_id,
    })),
  ]
}

/** Every LLM configuration that an agent names, with its place. */
function agentReferences({ model, knowledge }: AgentConfig): LlmReference[] {
  return [
    ...llmReferencesOf(model, 'config.model'),
    { path: 'config.knowledge.rerank_llm_config_id', id: knowledge.rerank_llm_config_id },
  ]
}

/** Like {@link requireReferences}, for what an agent names. */
export async function requireLlmConfigurations(
  visible: (scope: Scope) => Promise<LlmConfigurationRecord[]>,
  scope: Scope,
  agent: { projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  await requireReferences(visible, scope, {
    projectId: agent.projectId,
    references: agentReferences(agent.config),
  })
}

/**
 * Checks that every named configuration is connected, visible to the caller, and of the organization or of the owner's
 * own project; an agent or a team of the organization level may use any.
 *
 * @throws DomainError `llm_configuration_not_found` with every place
 */
export async function requireReferences(
  visible: (scope: Scope) => Promise<LlmConfigurationRecord[]>,
  scope: Scope,
  owner: { projectId: ProjectId | null; references: readonly LlmReference[] },
): Promise<void> {
  const references = owner.references.flatMap(({ path, id }) => (id ? [{ path, id: id.toLowerCase() }] : []))
  if (references.length === 0) return
  const usable = new Set<string>()
  for (const { id, projectId } of await visible(scope)) {
    if (owner.projectId === null || projectId === null || projectId === owner.projectId) usable.add(id)
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
