import type { Scope } from '@troupe/agents/ports'
import { checkedId, type IdText, type OrganizationId, ProjectId } from '@troupe/contract'

/** The scope of a list in the inbox: one project, or the whole organization (null). */
export function inProject(organizationId: OrganizationId, projectId: IdText<ProjectId> | null): Scope {
  return {
    organizationId,
    projectId: projectId === null ? null : checkedId(ProjectId, projectId.toLowerCase()),
  }
}

/** The `next` of a page: the id of its last row; null if no further row follows. */
export function nextInInbox(
  ids: readonly string[],
  { limit, total, after }: { limit: number; total: number; after: string | null },
): string | null {
  const isLast = ids.length < limit || (after === null && ids.length >= total)
  return isLast ? null : (ids.at(-1) ?? null)
}
