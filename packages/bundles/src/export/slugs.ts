import { isJsonObject } from '@troupe/contract'

/** Slugs by id. */
export type Slugs = ReadonlyMap<string | null, string>

/** The project reference; empty at the organization level, which is the default. */
export function projectOf(projectId: string | null, projects: Slugs): { project?: string } {
  const project = projects.get(projectId)
  return project === undefined ? {} : { project }
}

function rulesWith(
  guardrails: Record<string, unknown>,
  change: (rule: Record<string, unknown>) => object,
): Record<string, unknown> {
  const stages = Object.entries(guardrails).map(([stage, rules]) => [
    stage,
    Array.isArray(rules) ? rules.map(change) : rules,
  ])
  return Object.fromEntries(stages)
}

/** Replaces `agent_id`, `workflow_id` and `server_id` of tools by slugs where the rows exist. */
export function withToolSlugs(
  config: Record<string, unknown>,
  { agents, workflows, servers }: Record<'agents' | 'workflows' | 'servers', Slugs>,
): Record<string, unknown> {
  if (!Array.isArray(config.tools)) return config
  const tools = config.tools.map(({ agent_id, workflow_id, server_id, ...rest }) => ({
    ...rest,
    ...(agent_id === undefined ? {} : referred('agent', agent_id, agents)),
    ...(workflow_id === undefined ? {} : referred('workflow', workflow_id, workflows)),
    ...(server_id === undefined ? {} : referred('server', server_id, servers)),
  }))
  return { ...config, tools }
}

function referred(kind: 'agent' | 'workflow' | 'server', id: string, slugs: Slugs): object {
  const slug = slugs.get(id)
  return slug === undefined ? { [`${kind}_id`]: id } : { [kind]: slug }
}

/** Replaces `llm_config_id` of a model and of rules by `llm_config: <slug>` where the configuration exists. */
export function withSlugs(config: Record<string, unknown>, llms: Slugs): Record<string, unknown> {
  const model = config.model as { primary?: object; fallbacks?: object[] } | undefined
  const { guardrails } = config
  const rules = isJsonObject(guardrails)
    ? { guardrails: rulesWith(guardrails, (rule) => named(rule, llms)) }
    : {}
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

/** Replaces the ids of credentials by slugs where the credential exists: of tools, and of rules. */
export function withCredentialSlugs(
  config: Record<string, unknown>,
  credentials: Slugs,
): Record<string, unknown> {
  const { tools, guardrails } = config
  const bySlug = (item: Record<string, unknown>, key: 'auth_credential' | 'credential') => {
    const { [`${key}_id`]: id, ...rest } = item
    const slug = typeof id === 'string' ? credentials.get(id) : undefined
    return slug === undefined ? item : { ...rest, [key]: slug }
  }
  return {
    ...config,
    ...(Array.isArray(tools) && { tools: tools.map((tool) => bySlug(tool, 'auth_credential')) }),
    ...(isJsonObject(guardrails) && {
      guardrails: rulesWith(guardrails, (rule) => bySlug(rule, 'credential')),
    }),
  }
}

/** Replaces `knowledge.base_ids` by `bases` where every base exists, and the configuration of its reranking by its slug. */
export function withKnowledgeSlugs(
  config: Record<string, unknown>,
  bases: Slugs,
  llms: Slugs,
): Record<string, unknown> {
  const { knowledge } = config
  if (!isJsonObject(knowledge)) return config
  const { base_ids: ids, rerank_llm_config_id: rerank, ...rest } = knowledge
  const references = Array.isArray(ids) ? ids.map((id) => bases.get(id) ?? id) : null
  const llm = typeof rerank === 'string' ? (llms.get(rerank) ?? rerank) : rerank
  return {
    ...config,
    knowledge: {
      ...(references && { bases: references }),
      ...rest,
      ...(llm !== undefined && { rerank_llm_config_id: llm }),
    },
  }
}
