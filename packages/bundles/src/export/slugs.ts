import { type IdText, isJsonObject, type ProjectId } from '@troupe/contract'
import { skillOfSlug } from '../resolve/skill-of-slug.ts'
import { withRenamedKey } from '../resolve/with-renamed-key.ts'

/** Slugs by id. */
export type Slugs = ReadonlyMap<string | null, string>

/** The project reference; empty at the organization level, which is the default. */
export function projectOf(projectId: IdText<ProjectId> | null, projects: Slugs): { project?: string } {
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

/** Replaces `agent_id`, `workflow_id` and `server_id` of tools by slugs if the rows exist. */
export function withToolSlugs(
  config: Record<string, unknown>,
  { agents, workflows, servers }: Record<'agents' | 'workflows' | 'servers', Slugs>,
): Record<string, unknown> {
  if (!Array.isArray(config.tools)) return config
  const bySlug = (tool: Record<string, unknown>) => {
    const withAgent = named(tool, 'agent', agents)
    return named(named(withAgent, 'workflow', workflows), 'server', servers)
  }
  return { ...config, tools: config.tools.map(bySlug) }
}

/** The item with `<key>_id` replaced by the slug of its target, if that exists. */
function named(item: Record<string, unknown>, key: string, slugs: Slugs): Record<string, unknown> {
  const id = item[`${key}_id`]
  const slug = typeof id === 'string' ? slugs.get(id) : undefined
  return slug === undefined ? item : withRenamedKey(item, `${key}_id`, key, slug)
}

/** Replaces `llm_config_id` of a model and of rules by `llm_config: <slug>` if the configuration exists. */
export function withSlugs(config: Record<string, unknown>, llms: Slugs): Record<string, unknown> {
  const model = config.model as
    | { primary?: Record<string, unknown>; fallbacks?: Record<string, unknown>[] }
    | undefined
  const { guardrails } = config
  const rules = isJsonObject(guardrails)
    ? { guardrails: rulesWith(guardrails, (rule) => named(rule, 'llm_config', llms)) }
    : {}
  if (!model) return { ...config, ...rules }
  return {
    ...config,
    ...rules,
    model: {
      ...model,
      ...(model.primary ? { primary: named(model.primary, 'llm_config', llms) } : {}),
      ...(model.fallbacks
        ? { fallbacks: model.fallbacks.map((fallback) => named(fallback, 'llm_config', llms)) }
        : {}),
    },
  }
}

/** Replaces the ids of credentials by slugs if the credential exists: of tools, and of rules. */
export function withCredentialSlugs(
  config: Record<string, unknown>,
  credentials: Slugs,
): Record<string, unknown> {
  const { tools, guardrails } = config
  return {
    ...config,
    ...(Array.isArray(tools) && { tools: tools.map((tool) => named(tool, 'auth_credential', credentials)) }),
    ...(isJsonObject(guardrails) && {
      guardrails: rulesWith(guardrails, (rule) => named(rule, 'credential', credentials)),
    }),
  }
}

/**
 * Replaces `skill_id` of skills by `skill: <slug>` if the skill exists, with its `project` if the slug alone is
 * ambiguous. The order of the keys is kept.
 */
export function withSkillSlugs(
  config: Record<string, unknown>,
  agentProject: ProjectId | null,
  { skills, projects }: { skills: ReadonlyMap<string, ExportedSkill>; projects: Slugs },
): Record<string, unknown> {
  if (!Array.isArray(config.skills)) return config
  const nameOf = (value: unknown): [string, unknown][] => {
    const skill = skills.get(String(value).toLowerCase())
    if (skill === undefined) return [['skill_id', value]]
    const isMeant = skillOfSlug([...skills.values()], skill.slug, agentProject) === skill
    return isMeant
      ? [['skill', skill.slug]]
      : [
          ['skill', skill.slug],
          ['project', projects.get(skill.projectId) ?? null],
        ]
  }
  const bySlug = (item: object) =>
    Object.fromEntries(
      Object.entries(item).flatMap(([key, value]): [string, unknown][] =>
        key === 'skill_id' ? nameOf(value) : [[key, value]],
      ),
    )
  return { ...config, skills: config.skills.map(bySlug) }
}

/** A skill that agents reference. */
export interface ExportedSkill {
  slug: string
  projectId: ProjectId | null
}

/** Replaces `knowledge.base_ids` by `bases` if every base exists, and the configuration of its reranking by its slug. */
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
