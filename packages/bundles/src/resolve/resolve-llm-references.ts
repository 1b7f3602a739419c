import { isJsonObject, type ProjectId } from '@troupe/contract'
import type { LlmLookup } from './lookups.ts'
import { withRenamedKey } from './with-renamed-key.ts'

type Json = Record<string, unknown>

/** Resolves the references of one agent, or of the managed lead of a team. `report` takes paths below `config`. */
export interface Resolution {
  lookup: LlmLookup
  /** null: an organization-level agent, which may use any configuration. */
  projectId: ProjectId | null
  owner: 'agent' | 'team' | 'knowledge base'
  report: (path: string, message: string) => void
}

/**
 * The configuration with every `llm_config` (slug or id) replaced by `llm_config_id`. Parts that are not
 * objects are left for the validation of the complete configuration.
 */
export function resolveLlmReferences(config: Json, resolution: Resolution): Json {
  const resolved = { ...config }
  if (isJsonObject(config.model)) {
    const { primary, fallbacks } = config.model
    resolved.model = {
      ...config.model,
      ...(isJsonObject(primary)
        ? { primary: resolveModel(primary, 'config.model.primary', resolution) }
        : {}),
      ...(Array.isArray(fallbacks)
        ? {
            fallbacks: fallbacks.map((fallback: unknown, index) =>
              isJsonObject(fallback)
                ? resolveModel(fallback, `config.model.fallbacks.${index}`, resolution)
                : fallback,
            ),
          }
        : {}),
    }
  }
  if (isJsonObject(config.guardrails)) {
    resolved.guardrails = resolveGuardrails(config.guardrails, 'config.guardrails', resolution)
  }
  if (isJsonObject(config.knowledge) && config.knowledge.rerank_llm_config_id != null) {
    const path = 'config.knowledge.rerank_llm_config_id'
    const id = resolveReference(config.knowledge.rerank_llm_config_id, path, resolution)
    resolved.knowledge = { ...config.knowledge, rerank_llm_config_id: id }
  }
  return resolved
}

/** The rules of `guardrails` with every `llm_config` replaced by its id. */
export function resolveGuardrails(guardrails: Json, path: string, resolution: Resolution): Json {
  const stages = Object.entries(guardrails).map(([stage, rules]) => {
    if (!Array.isArray(rules)) return [stage, rules]
    const resolved = rules.map((rule: unknown, index) =>
      isJsonObject(rule) ? resolveModel(rule, `${path}.${stage}.${index}`, resolution) : rule,
    )
    return [stage, resolved]
  })
  return Object.fromEntries(stages)
}

/** A model with its `llm_config` replaced by its id. */
export function resolveModel(model: Json, path: string, resolution: Resolution): Json {
  const { llm_config: named, ...rest } = model
  if (named != null && rest.llm_config_id != null) {
    resolution.report(`${path}.llm_config`, 'must not be given together with llm_config_id')
  }
  if (named != null) {
    const id = resolveReference(named, `${path}.llm_config`, resolution)
    return withRenamedKey(model, 'llm_config', 'llm_config_id', id)
  }
  if (rest.llm_config_id == null) return rest
  return {
    ...rest,
    llm_config_id: resolveReference(rest.llm_config_id, `${path}.llm_config_id`, resolution),
  }
}

/** The id; null when the reference is invalid, which is reported. */
function resolveReference(reference: unknown, path: string, resolution: Resolution): string | null {
  const { lookup, projectId, owner, report } = resolution
  if (typeof reference !== 'string') {
    report(path, 'must be the slug or the id of an LLM configuration')
    return null
  }
  const target = lookup(reference)
  if (target === undefined) report(path, `is not an LLM configuration of this organization: ${reference}`)
  if (!target) return null
  if (projectId !== null && target.projectId !== null && target.projectId !== projectId) {
    report(path, `belongs to another project than the ${owner}: ${reference}`)
  }
  return target.id
}
