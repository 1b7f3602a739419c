import { isJsonObject, type ProjectId } from '@troupe/contract'
import type { NamedSkillRecord } from '@troupe/operations/skills/resolve-skills'
import { skillOfSlug } from './skill-of-slug.ts'
import { withRenamedKey } from './with-renamed-key.ts'

/** Resolves the skills of one agent. */
export interface SkillResolution {
  /** The skills after the bundle is applied. */
  skills: readonly NamedSkillRecord[]
  projectId: ProjectId | null
  /** The level of an item: null is the organization, undefined a problem that has been reported. */
  levelOf(item: { path: string; value: { project: string | null } }): ProjectId | null | undefined
  /** Takes paths below the agent. */
  report(path: string, message: string): void
  /** Slugs of invalid skills in the bundle. */
  brokenSlugs: ReadonlySet<unknown>
}

/**
 * The configuration with every `skill` of its skills replaced by `skill_id`. `skill` is a slug: of the agent's project, else of the
 * organization; `project` selects the level explicitly. Items without a skill are omitted and reported.
 */
export function resolveSkillsOfAgent(
  config: Record<string, unknown>,
  resolution: SkillResolution,
): Record<string, unknown> {
  if (!Array.isArray(config.skills)) return config
  const skills = config.skills.flatMap((item: unknown, at) =>
    isJsonObject(item) && item.skill !== undefined
      ? resolved(item, `config.skills.${at}`, resolution)
      : [item],
  )
  return { ...config, skills }
}

function resolved(item: Record<string, unknown>, path: string, resolution: SkillResolution): object[] {
  const { report, brokenSlugs } = resolution
  const { skill: slug, project } = item
  const isTwice = item.skill_id !== undefined
  if (isTwice) report(`${path}.skill`, 'must not be given together with skill_id')
  const isLevel = project === undefined || project === null || typeof project === 'string'
  if (!isLevel) report(`${path}.project`, 'must be the slug of a project, or null for the organization')
  const found = isLevel ? skillNamed(slug, project, path, resolution) : null
  if (found === undefined && !brokenSlugs.has(slug)) {
    report(`${path}.skill`, `is not a skill that the agent can use: ${slug}`)
  }
  if (!found || isTwice) return []
  const { project: _, ...rest } = item
  return [withRenamedKey(rest, 'skill', 'skill_id', found.id)]
}

/** null: a problem that has been reported. */
function skillNamed(
  slug: unknown,
  project: string | null | undefined,
  path: string,
  { skills, projectId, levelOf }: SkillResolution,
): NamedSkillRecord | null | undefined {
  if (project === undefined) return skillOfSlug(skills, slug, projectId)
  const level = levelOf({ path, value: { project } })
  if (level === undefined) return null
  return skills.find((skill) => skill.slug === slug && skill.projectId === level)
}
