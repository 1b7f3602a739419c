import { type IdText, isJsonObject, type JsonObject, type LlmConfigId } from '@troupe/contract'
import { withValueAt } from '@troupe/editor/values/json-path'

/** One model of a chain as a step stores it; null: the default. */
export interface ModelSetting {
  configurationId: IdText<LlmConfigId> | null
  modelId: string | null
}

/**
 * A chain of models with a changed value at a path, such as `primary.model_id`. Null and absent mean the same, so defaults are not
 * stored; undefined: nothing is left.
 */
export function withModelAt(model: unknown, path: string, value: unknown): JsonObject | undefined {
  const changed = withValueAt(isJsonObject(model) ? model : {}, path, value ?? undefined)
  const { primary, ...others } = changed
  const isEmpty = isJsonObject(primary) && Object.keys(primary).length === 0
  const kept = isEmpty ? others : changed
  return Object.keys(kept).length === 0 ? undefined : kept
}

/** The models of a chain, the primary one first, and its other settings; null: none. */
export function modelLinks(model: JsonObject): { links: ModelSetting[]; rest: JsonObject | null } {
  const { primary, fallbacks, ...others } = model
  const chain = [primary ?? {}, ...(Array.isArray(fallbacks) ? fallbacks : [])].filter(isJsonObject)
  const more = chain.map(({ llm_config_id: _configuration, model_id: _model, ...rest }) => rest)
  const isMore = more.some((one) => Object.keys(one).length > 0)
  const rest = isMore ? { ...others, models: more } : others
  return {
    links: chain.map(({ llm_config_id: id, model_id: modelId }) => ({
      configurationId: typeof id === 'string' ? id : null,
      modelId: typeof modelId === 'string' ? modelId : null,
    })),
    rest: Object.keys(rest).length === 0 ? null : rest,
  }
}
