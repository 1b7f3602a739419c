import { defaultConfiguration, type ModelList, unlistedModel } from '@troupe/agents'
import type { Scope } from '@troupe/agents/ports'
import {
  type AgentConfig,
  DomainError,
  defaultModel,
  type FieldError,
  GUARDRAIL_STAGES,
  type ProjectId,
} from '@troupe/contract'
import type { LlmConfigurationRecord } from '@troupe/storage'

/** An LLM configuration reference with its path; a null id references none. */
export interface LlmReference {
  path: string
  id: string | null | undefined
  /** The requested model and its path; a reference without one requests no chat model. */
  model?: { id: string | null | undefined; path: string }
}

/** Every LLM configuration that a model references, with its path below `path`. */
export function llmReferencesOf(model: AgentConfig['model'], path: string): LlmReference[] {
  const links = [
    { at: `${path}.primary`, link: model.primary },
    ...model.fallbacks.map((link, index) => ({ at: `${path}.fallbacks.${index}`, link })),
  ]
  return links.map(({ at, link }) => ({
    path: `${at}.llm_config_id`,
    id: link.llm_config_id,
    model: { id: link.model_id, path: `${at}.model_id` },
  }))
}

/** Every LLM configuration that rules name, with its path below `path`. */
export function guardrailReferences(guardrails: AgentConfig['guardrails'], path: string): LlmReference[] {
  return GUARDRAIL_STAGES.flatMap((stage) =>
    guardrails[stage].flatMap((rule, index) => {
      if (rule.type !== 'llm_rule' && rule.type !== 'moderation') return []
      const at = `${path}.${stage}.${index}`
      const isModerator = rule.type === 'moderation' && rule.model_id?.includes('moderation')
      return {
        path: `${at}.llm_config_id`,
        id: rule.llm_config_id,
        // Models of a moderation API are not in the list of chat models.
        ...(!isModerator && { model: { id: rule.model_id, path: `${at}.model_id` } }),
      }
    }),
  )
}

/** Every LLM configuration that an agent references, with its path. */
function agentReferences({ model, knowledge, guardrails }: AgentConfig): LlmReference[] {
  return [
    ...llmReferencesOf(model, 'config.model'),
    ...guardrailReferences(guardrails, 'config.guardrails'),
    { path: 'config.knowledge.rerank_llm_config_id', id: knowledge.rerank_llm_config_id },
  ]
}

/** Like {@link requireReferences}, for the references of an agent. */
export async function requireLlmConfigurations(
  visible: (scope: Scope) => Promise<LlmConfigurationRecord[]>,
  scope: Scope,
  agent: { projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  await requireReferences(visible, scope, {
    projectId: agent.projectId,
    references: agentReferences(agent.config),
  })
  const { model, execution } = agent.config
  if (execution.budget.max_cost_usd === null) return
  const usable = usableBy(agent.projectId, await visible(scope))
  requirePrices(unpricedModels(usable, agent.projectId, llmReferencesOf(model, 'config.model')))
}

/** The configurations that an owner of this project may use; one at the organization level may use any. */
function usableBy<T extends Pick<LlmConfigurationRecord, 'projectId'>>(
  owner: ProjectId | null,
  configurations: readonly T[],
): T[] {
  return configurations.filter(({ projectId }) => owner === null || projectId === null || projectId === owner)
}

/** Models with the properties that a cost budget needs. */
type PricedModels = Pick<LlmConfigurationRecord, 'id' | 'projectId' | 'isDefault' | 'models'>

/** The references to known models without a price. */
export function unpricedModels(
  usable: readonly PricedModels[],
  projectId: ProjectId | null,
  references: readonly LlmReference[],
): FieldError[] {
  return references.flatMap(({ id, model }) => {
    const configuration = id
      ? usable.find((one) => one.id === id.toLowerCase())
      : defaultConfiguration(projectId, usable)
    const known = model?.id
      ? configuration?.models.find(({ modelId }) => modelId === model.id)
      : defaultModel(configuration?.models ?? [])
    if (!model || !known) return []
    if (known.inputUsdPerMillion !== null && known.outputUsdPerMillion !== null) return []
    return [{ path: model.path, message: 'has no price, which config.execution.budget.max_cost_usd needs' }]
  })
}

/** @throws DomainError `model_price_missing` with the models, if there are any */
export function requirePrices(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new DomainError('model_price_missing', 'A cost budget needs a price for every model.', { errors })
}

/**
 * Checks that every referenced configuration is connected, visible to the caller, and belongs to the organization or
 * the owner's project; an organization-level agent or team may use any. Then checks that each one, or the default if
 * none is named, offers the requested model.
 *
 * @throws DomainError `llm_configuration_not_found` or `validation_error`, listing every path
 */
export async function requireReferences(
  visible: (scope: Scope) => Promise<LlmConfigurationRecord[]>,
  scope: Scope,
  owner: { projectId: ProjectId | null; references: readonly LlmReference[] },
): Promise<void> {
  const references = owner.references.filter(({ id, model }) => id || model?.id)
  if (references.length === 0) return
  const usable = usableBy(owner.projectId, await visible(scope))
  const known = new Set<string>(usable.map(({ id }) => id))
  const missing = references.flatMap(({ id, path }) =>
    id && !known.has(id.toLowerCase())
      ? [{ path, message: 'does not exist, is not connected or is not visible here' }]
      : [],
  )
  if (missing.length > 0) {
    throw new DomainError(
      'llm_configuration_not_found',
      'The configuration names an LLM configuration that does not exist, is not connected or is not visible here.',
      { errors: missing },
    )
  }
  const unlisted = unlistedModels(usable, owner.projectId, references)
  if (unlisted.length > 0) {
    throw new DomainError('validation_error', 'The configuration names a model that is not offered.', {
      errors: unlisted,
    })
  }
}

/**
 * The references whose configuration, or the default if none is named, does not offer the requested model. `usable` is
 * oldest first; references to configurations outside it are ignored.
 */
export function unlistedModels(
  usable: readonly (ModelList & Pick<LlmConfigurationRecord, 'id' | 'projectId' | 'isDefault'>)[],
  projectId: ProjectId | null,
  references: readonly LlmReference[],
): FieldError[] {
  return references.flatMap(({ id, model }) => {
    const configuration = id
      ? usable.find((one) => one.id === id.toLowerCase())
      : defaultConfiguration(projectId, usable)
    const message = configuration && model ? unlistedModel(configuration, model.id) : null
    return model && message !== null ? [{ path: model.path, message }] : []
  })
}
