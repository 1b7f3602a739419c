import type { BundleOrganization } from '@troupe/contract'

/** Organizations without references to these files and folders in their documents and skills. */
export function withoutPaths(
  organizations: readonly BundleOrganization[],
  missing: ReadonlySet<string>,
): readonly BundleOrganization[] {
  if (missing.size === 0) return organizations
  const without = <T extends { path?: string }>(item: T): T => {
    if (item.path === undefined || !missing.has(item.path)) return item
    const { path: _, ...rest } = item
    // The rest of an item without an optional field is still such an item.
    return rest as T
  }
  return organizations.map(({ knowledgeBases, skills, ...organization }) => ({
    ...organization,
    ...(knowledgeBases && {
      knowledgeBases: knowledgeBases.map((base) => ({
        ...base,
        ...(base.documents && { documents: base.documents.map(without) }),
      })),
    }),
    ...(skills && { skills: skills.map(without) }),
  }))
}
