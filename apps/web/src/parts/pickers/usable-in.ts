import type { IdText, ProjectId } from '@troupe/contract'

/** A resource of a project, or of the organization (null). */
interface Owned {
  readonly projectId: IdText<ProjectId> | null
}

/** Whether an agent of a project may use a resource. An agent of the organization (null) may use resources of every project. */
export function isUsableIn(projectId: IdText<ProjectId> | null, thing: Owned): boolean {
  return projectId === null || thing.projectId === null || thing.projectId === projectId
}
