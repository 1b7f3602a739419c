import { DomainError } from '@troupe/contract'
import type { CheckSkillVersion } from '@troupe/operations/skills/upload-skill'
import { currentVersion } from '../changes/require-version.ts'

/**
 * A check that the next version of a skill was made from the newest one. A skill that was not there is not checked.
 *
 * @param baseVersion undefined: nothing is checked
 * @throws DomainError the check itself: `version_conflict` with who uploaded the newest version
 */
export function checkSkillBase(baseVersion: number | undefined): CheckSkillVersion {
  return async ({ id, organizationId, version }, { builder }) => {
    const newest = version - 1
    if (baseVersion === undefined || newest === 0 || newest === baseVersion) return
    const latest = await builder.audit.latest(organizationId, 'skill', id)
    throw new DomainError(
      'version_conflict',
      'The skill has a newer version than the one that was changed.',
      {
        current: currentVersion({ number: newest, versionId: null }, latest),
      },
    )
  }
}
