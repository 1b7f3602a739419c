import type { Skill } from '@troupe/contract'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/**
 * One version of a skill with its files. Every version is kept, so its place in the list, the newest first, is known; a version that came
 * meanwhile moves it, and the skill is asked again with every new version. `found` is undefined when there is no such version.
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
