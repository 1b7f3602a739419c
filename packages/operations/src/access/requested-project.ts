import type { Scope } from '@troupe/agents/ports'
import { checkedId, ProjectId } from '@troupe/contract'

/**
 * The project that a call targets, as the database writes its id; null: the organization level. A project scope always targets its project.
 */
export function requestedProject(scope: Scope, requested: string | null | undefined): ProjectId | null {
  if (scope.projectId !== null) return scope.projectId
  return requested == null ? null : checkedId(ProjectId, requested.toLowerCase())
}
