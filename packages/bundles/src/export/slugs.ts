import { isJsonObject } from '@troupe/contract'

/** Slugs by id. */
export type Slugs = ReadonlyMap<string | null, string>

/** The project reference; empty at the organization level, which is the default. */
export function projectOf(projectId: string | null, projects: Slugs): { project?: string } {
  const project = projects.get(projectId)
  return project === undefined ? {} : { project }
}

/** The rules of `guardrails` with `llm_config` in place of `llm_config_id`. */
function rulesWithSlugs(guardrails: Record<string, unknown>, llms: Slugs): Record<string, unknown> {
  const stages = Object.entries(guardrails).map(([stage, rules]) => [
    stage,
    Array.isArray(rules) ? rules.map((rule: { llm_config_id?: string }) => named(rule, llms)) : rules,
  ])
  return Object.fromEntries(stages)
}

/** Replaces `llm_config_id` of a model and of rules by `llm_config: <slug>` where the configuration exists. */
export function withSlugs(config: Record<string, unknown>, llms: Slugs): Record<string, unknown> {
  const model = config.model as { primary?: object; fallbacks?: object[] } | undefined
  const { guardrails } = config
  const rules = isJsonObject(guardrails) ? { guardrails: rulesWithSlugs(guardrails, llms) } : {}
  if (!model) return { ...config, ...rules }
  return {
    ...config,
    ...rules,
    model: {
      ...model,
      ...(model.primary ? { primary: named(model.primary, llms) } : {}),
      ...(model.fallbacks ? { fallbacks: model.fallbacks.map((fallback) => named(fallback, llms)) } : {}),
    },
  }
}

function named(model: { llm_config_id?: string }, llms: Slugs): object {
  const { llm_config_id: id, ...rest } = model
  const slug = id === undefined ? undefined : llms.get(id)
  return slug === undefined ? model : { llm_config: slug, ...rest }
}
