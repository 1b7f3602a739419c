import type { LlmConfigurationRecord } from '@troupe/database'

const MOST_NAMED = 20

/** The fields that decide which models of a configuration may be requested. */
export type ModelList = Pick<LlmConfigurationRecord, 'name' | 'models' | 'allowUnlistedModels'>

/**
 * Why a model id cannot be used with a configuration, with the models that can; null when it can. A configuration
 * without a list, or with `allowUnlistedModels`, takes every id.
 */
export function unlistedModel(
  { name, models, allowUnlistedModels }: ModelList,
  modelId: string | null | undefined,
): string | null {
  if (modelId == null || allowUnlistedModels || models.length === 0) return null
  if (models.some((model) => model.modelId === modelId)) return null
  const named = models.slice(0, MOST_NAMED).map((model) => model.modelId)
  const more = models.length > MOST_NAMED ? `, and ${models.length - MOST_NAMED} more` : ''
  return `is not a model of the LLM configuration "${name}", which offers: ${named.join(', ')}${more}`
}
