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

/** Replaces a tool's `auth_credential_id` by `auth_credential: <slug>` where the credential exists. */
export function withCredentialSlugs(
  config: Record<string, unknown>,
  credentials: Slugs,
): Record<string, unknown> {
  const { tools } = config
  if (!Array.isArray(tools)) return config
  return { ...config, tools: tools.map((tool: object) => withCredentialSlug(tool, credentials)) }
}

function withCredentialSlug(tool: { auth_credential_id?: string | null }, credentials: Slugs): object {
  const { auth_credential_id: id, ...rest } = tool
  const slug = id == null ? undefined : credentials.get(id)
  return slug === undefined ? tool : { ...rest, auth_credential: slug }
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
