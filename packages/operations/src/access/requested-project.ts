import type { Scope } from '@troupe/agents/ports'
import { asId, type ProjectId } from '@troupe/contract'

/** The project that a call is about; null: the organization level. A project scope always means its own project. */
export function requestedProject(scope: Scope, requested: string | null | undefined): ProjectId | null {
  if (scope.projectId !== null) return scope.projectId
  return requested == null ? null : asId(requested)
}
