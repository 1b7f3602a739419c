/** Slugs by id. */
export type Slugs = ReadonlyMap<string | null, string>

/** The project reference; empty at the organization level, which is the default. */
export function projectOf(projectId: string | null, projects: Slugs): { project?: string } {
  const project = projects.get(projectId)
  return project === undefined ? {} : { project }
}

/** Replaces `agent_id` and `workflow_id` of tools by slugs where the rows exist. */
export function withToolSlugs(
  config: Record<string, unknown>,
  agents: Slugs,
  workflows: Slugs,
): Record<string, unknown> {
  if (!Array.isArray(config.tools)) return config
  const tools = config.tools.map(({ agent_id, workflow_id, ...rest }) => ({
    ...rest,
    ...(agent_id === undefined ? {} : referred('agent', agent_id, agents)),
    ...(workflow_id === undefined ? {} : referred('workflow', workflow_id, workflows)),
  }))
  return { ...config, tools }
}

function referred(kind: 'agent' | 'workflow', id: string, slugs: Slugs): object {
  const slug = slugs.get(id)
  return slug === undefined ? { [`${kind}_id`]: id } : { [kind]: slug }
}

/** Replaces `llm_config_id` of a model by `llm_config: <slug>` where the configuration exists. */
export function withSlugs(config: Record<string, unknown>, llms: Slugs): Record<string, unknown> {
  const model = config.model as { primary?: object; fallbacks?: object[] } | undefined
  if (!model) return config
  return {
    ...config,
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
