import type { Scope } from '@troupe/agents/ports'
import { type AgentConfig, DomainError, type FieldError, type ProjectId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { type NamedSkillRecord, namesOf, resolveSkill } from './resolve-skills.ts'

/** Faults of the skills that a configuration names, with paths below `config`; unknown `excused` slugs are accepted. */
export function skillFaults(
  stored: readonly NamedSkillRecord[],
  projectId: ProjectId | null,
  skills: AgentConfig['skills'],
  excused: ReadonlySet<unknown> = new Set(),
): FieldError[] {
  const names = new Set<string>()
  return skills.flatMap((named, at) => {
    const path = `config.skills.${at}`
    const found = resolveSkill(stored, projectId, named)
    if (found.kind === 'unknown') {
      if (!named.skill_id && excused.has(named.slug)) return []
      const field = named.skill_id ? 'skill_id' : 'slug'
      return [{ path: `${path}.${field}`, message: 'does not exist or is not visible here' }]
    }
    if (found.kind === 'no_version') {
      return [
        { path: `${path}.pinned_version`, message: `does not exist: the newest version is ${found.newest}` },
      ]
    }
    const { slug } = found.skill
    if (names.has(slug)) return [{ path, message: `names a second skill ${slug}` }]
    names.add(slug)
    return []
  })
}

/**
 * Checks that every skill of an agent exists, in the pinned version, and belongs to the organization level or the agent's
 * project.
 *
 * @throws DomainError `validation_error`, listing every path
 */
export async function requireSkills(
  read: Pick<Readers, 'skills'>,
  { organizationId, projectId: ownProject }: Scope,
  agent: { projectId: ProjectId | null; config: AgentConfig },
): Promise<void> {
  const { skills } = agent.config
  if (skills.length === 0) return
  const { versions, ...names } = namesOf(skills)
  const stored = await read.skills.named(organizationId, names, versions)
  const errors = skillFaults(stored, agent.projectId ?? ownProject, skills)
  if (errors.length === 0) return
  throw new DomainError('validation_error', 'The configuration names skills that the agent cannot use.', {
    errors,
  })
}
