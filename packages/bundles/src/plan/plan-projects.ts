import { type BundleProject, type OrganizationId, ProjectId } from '@troupe/contract'
import type { ProjectRecord } from '@troupe/storage'
import type { Item, OrganizationItem } from '../read/bundle-items.ts'
import { BY_SLUG, type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'

export async function planProjects(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleProject>[],
  stored: readonly ProjectRecord[],
): Promise<Step<ProjectRecord>[]> {
  const placed = await place(planner, ProjectId, items, stored, BY_SLUG)
  return placed.map(({ item: { value }, stored: before, id }) => ({
    before,
    after: {
      id,
      organizationId,
      slug: value.slug,
      name: value.name,
    },
    changed: before?.slug !== value.slug || before.name !== value.name,
  }))
}

/** Finds projects by slug: null is the organization level, undefined a problem that has been reported. */
export type ProjectLookup = (item: Item<{ project?: string | null }>) => ProjectId | null | undefined

/** Searches the plan first, then stored projects that the bundle does not describe. */
export function projectLookup(
  planner: Planner,
  organization: OrganizationItem,
  steps: readonly Step<ProjectRecord>[],
  stored: readonly ProjectRecord[],
): ProjectLookup {
  const planned = new Set<string>(steps.map(({ after }) => after.id))
  const bySlug = new Map([
    ...stored.filter(({ id }) => !planned.has(id)).map(({ slug, id }) => [slug, id] as const),
    ...steps.map(({ after }) => [after.slug, after.id] as const),
  ])
  const declared = new Set(organization.projects.map(({ value }) => value.slug))
  return ({ path, value }) => {
    if (value.project === undefined || value.project === null) return null
    const id = bySlug.get(value.project)
    if (id === undefined && !declared.has(value.project) && !organization.brokenSlugs.has(value.project)) {
      planner.problems.add(`${path}.project`, `is not a project of this organization: ${value.project}`)
    }
    return id
  }
}
