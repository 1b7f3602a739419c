import type { Skill } from '@troupe/contract'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/**
 * One version of a skill with its files. Every version is kept, so its index in the list, newest first, is known; a newer version
 * shifts it, and the skill is refetched with every new version. `found` is undefined if there is no such version.
 */
export function useSkillVersion(
  { skillId, version: newest }: Pick<Skill, 'skillId' | 'version'>,
  version: number,
  { isEnabled = true }: { isEnabled?: boolean } = {},
) {
  const asked = useOperation(
    'listSkillVersions',
    { params: { skillId }, query: { page: Math.max(1, newest - version + 1), limit: 1 } },
    { isEnabled },
  )
  const found = asked.isFormer ? undefined : asked.data?.data.find((one) => one.version === version)
  return { ...asked, found }
}
