import { type BundleSkill, type OrganizationId, SkillId } from '@troupe/contract'
import type { NamedSkillRecord } from '@troupe/operations/skills/resolve-skills'
import type { NewSkillVersion, SkillRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { Planner } from '../resolve/planner.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A version to be written. */
export interface SkillStep {
  /** The newest stored version; null: the skill is new. */
  before: SkillRecord | null
  after: NewSkillVersion
  changed: boolean
}

/** Skills are found by their slug and their project. One without files keeps the stored files. */
export function planSkills(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleSkill>[],
  stored: readonly SkillRecord[],
  projectOf: ProjectLookup,
): SkillStep[] {
  return items.flatMap((item): SkillStep[] => {
    const { path, value } = item
    const projectId = projectOf(item)
    if (projectId === undefined) return []
    const isSame = (one: SkillRecord) => one.slug === value.slug && one.projectId === projectId
    const before = stored.find((one) => isSame(one) && one.version === one.newestVersion) ?? null
    const isGiven = value.files !== undefined || value.path !== undefined
    if (!isGiven && before === null) {
      planner.problems.add(path, 'must have files or a path: the skill is new')
      return []
    }
    const content = isGiven ? planner.skills.get(path) : before
    if (!content) return []
    const id = before?.id ?? planner.newId(SkillId)
    const after = { texts: {}, ...content, id, organizationId, projectId }
    return [{ before, after, changed: before?.contentHash !== content.contentHash }]
  })
}

/** The versions that exist after the steps are written. */
export function skillsAfterwards(
  steps: readonly SkillStep[],
  stored: readonly NamedSkillRecord[],
): NamedSkillRecord[] {
  const written = steps
    .filter(({ changed }) => changed)
    .map(({ before, after }): NamedSkillRecord => {
      const version = (before?.version ?? 0) + 1
      const { id, slug, projectId } = after
      return { id, slug, projectId, version, newestVersion: version }
    })
  const newest = new Map(written.map(({ id, version }) => [id, version]))
  const kept = stored.map((one) => ({ ...one, newestVersion: newest.get(one.id) ?? one.newestVersion }))
  return [...kept, ...written]
}
