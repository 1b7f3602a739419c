const MOST_NAMED = 20

/** The fields of an LLM configuration that decide which models may be requested. */
export interface ModelList {
  name: string
  models: readonly { modelId: string }[]
  allowUnlistedModels: boolean
}

/**
 * Why a model id cannot be used with a configuration, with the usable models; null if it can. A configuration without a
 * list, or with `allowUnlistedModels`, accepts every id.
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
