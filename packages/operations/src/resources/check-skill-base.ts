import { checkedId, DomainError, type IdText, parseId, SkillId } from '@troupe/contract'
import { currentVersion } from '../changes/require-version.ts'
import { skillNotFound } from '../skills/skill-errors.ts'
import type { CheckSkillVersion } from '../skills/upload-skill.ts'

/** The base of an upload. */
export interface SkillBase {
  /** The skill whose next version it is; absent: the skill of the same name. */
  skillId?: IdText<SkillId> | undefined
  /** The newest version that the person has seen; absent: not checked. */
  baseVersion?: number | undefined
  /** Creates a new skill: the next version of an existing one is refused. */
  mustBeNew?: boolean | undefined
}

/**
 * Returns a check that an upload is the next version of the edited skill and based on its newest version. A new skill
 * is not checked unless the upload names its base.
 *
 * @throws DomainError the check itself: `validation_error` if name or project differ from those of the skill,
 * `skill_not_found`, `version_conflict` with the author of the newest version, or `slug_taken` with that of the
 * existing skill
 */
export function checkSkillBase({ skillId, baseVersion, mustBeNew = false }: SkillBase): CheckSkillVersion {
  return async ({ id, organizationId, slug, version }, isAdded, { skills, builder }) => {
    if (skillId !== undefined && id !== parseId(SkillId, skillId)) {
      const edited = await skills.byId(organizationId, checkedId(SkillId, skillId.toLowerCase()))
      if (!edited) throw skillNotFound()
      throw edited.slug === slug ? otherProject() : otherName(edited.slug, slug)
    }
    const newest = version - 1
    if (!isAdded || newest === 0) return
    if (!mustBeNew && (baseVersion === undefined || newest === baseVersion)) return
    const latest = await builder.audit.latest(organizationId, 'skill', id)
    if (mustBeNew) {
      throw new DomainError('slug_taken', `A skill “${slug}” already exists.`, {
        current: { id, ...currentVersion({ number: newest, versionId: null }, latest) },
      })
    }
    throw new DomainError('version_conflict', 'The skill has a newer version than the edited one.', {
      current: currentVersion({ number: newest, versionId: null }, latest),
    })
  }
}

function otherName(own: string, given: string): DomainError {
  const message = `name: must stay “${own}”. Upload “${given}” as a separate skill.`
  return new DomainError(
    'validation_error',
    `A skill keeps its name in every version. SKILL.md, ${message}`,
    {
      errors: [{ path: 'files.SKILL.md', message }],
    },
  )
}

function otherProject(): DomainError {
  return new DomainError('validation_error', 'A skill keeps its project in every version.', {
    errors: [{ path: 'projectId', message: 'must be that of the skill' }],
  })
}
