import { AGENT_CONFIG_DEFAULTS, type AgentConfig, isJsonObject, mergeAgentConfig } from '@troupe/contract'

type Json = Record<string, unknown>

/** The defaults of one item of `model.fallbacks`. */
const FALLBACK_DEFAULTS = fallbackDefaults()

/**
 * The part of a complete configuration that differs from the defaults: merging it onto them restores the
 * original.
 */
export function configDifference(config: AgentConfig): Json {
  return modelDifference(difference(config, AGENT_CONFIG_DEFAULTS), config.model)
}

/** A difference in which the model's fallbacks are reduced to differences too. */
export function modelDifference(changed: Json, { fallbacks }: AgentConfig['model']): Json {
  const { model } = changed
  if (!isJsonObject(model) || !model.fallbacks) return changed
  const differences = fallbacks.map((fallback) => difference(fallback, FALLBACK_DEFAULTS))
  return { ...changed, model: { ...model, fallbacks: differences } }
}

/** The keys of a value that differ from its defaults, at every depth. */
export function difference(value: Json, defaults: Json): Json {
  const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
    const fallback = defaults[key]
    if (isJsonObject(child) && isJsonObject(fallback)) {
      const inner = difference(child, fallback)
      return Object.keys(inner).length > 0 ? [[key, inner]] : []
    }
    return Object.hasOwn(defaults, key) && JSON.stringify(child) === JSON.stringify(fallback)
      ? []
      : [[key, child]]
  })
  return Object.fromEntries(entries)
}

function fallbackDefaults(): Json {
  const merged = mergeAgentConfig({ model: { fallbacks: [{}] } })
  return (merged.ok && merged.config.model.fallbacks[0]) || {}
}
