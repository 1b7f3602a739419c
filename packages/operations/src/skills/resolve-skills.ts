import { type AgentConfig, type ProjectId, parseId, SkillId } from '@troupe/contract'
import type { SkillNames, SkillRecord } from '@troupe/storage'

type NamedSkill = AgentConfig['skills'][number]

/** The skills of a configuration, for reading them. */
export function namesOf(skills: readonly NamedSkill[]): SkillNames & { versions: number[] } {
  return {
    ids: skills.flatMap(({ skill_id }) => (skill_id && parseId(SkillId, skill_id)) || []),
    slugs: skills.flatMap(({ skill_id, slug }) => (skill_id || !slug ? [] : [slug])),
    versions: skills.flatMap(({ pinned_version }) => pinned_version ?? []),
  }
}

/** The identifying fields of skills and their versions. */
export type NamedSkillRecord = Pick<SkillRecord, 'id' | 'slug' | 'projectId' | 'version' | 'newestVersion'>

/** The skill that a name in a configuration refers to. */
export type ResolvedSkill<T> =
  | { kind: 'found'; skill: T }
  | { kind: 'unknown' }
  | { kind: 'no_version'; newest: number }

/**
 * The skill, in the pinned or newest version, that a name refers to for an agent of this project. A slug means the
 * project's skill before that of the organization level; an agent of the organization level may name any skill by its
 * id.
 */
export function resolveSkill<T extends NamedSkillRecord>(
  stored: readonly T[],
  agentProject: ProjectId | null,
  { skill_id, slug, pinned_version }: NamedSkill,
): ResolvedSkill<T> {
  const id = skill_id?.toLowerCase()
  const seen = stored.filter((skill) => {
    if (id === undefined) {
      return skill.slug === slug && (skill.projectId === null || skill.projectId === agentProject)
    }
    const isVisible = agentProject === null || skill.projectId === null || skill.projectId === agentProject
    return skill.id === id && isVisible
  })
  const [first] = seen.toSorted((a, b) => Number(a.projectId === null) - Number(b.projectId === null))
  if (!first) return { kind: 'unknown' }
  const wanted = pinned_version ?? first.newestVersion
  const skill = seen.find((one) => one.id === first.id && one.version === wanted)
  return skill ? { kind: 'found', skill } : { kind: 'no_version', newest: first.newestVersion }
}
