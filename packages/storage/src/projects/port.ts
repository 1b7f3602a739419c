import type { OrganizationId, ProjectId } from '@troupe/contract'
import type { MovableKind } from '@troupe/contract/builder'

export interface ProjectRecord {
  id: ProjectId
  organizationId: OrganizationId
  slug: string
  name: string
}

export interface ProjectReader {
  byId(organizationId: OrganizationId, id: ProjectId): Promise<ProjectRecord | null>
  list(organizationId: OrganizationId): Promise<ProjectRecord[]>
}

export interface ProjectWriter {
  /** Throws SqlError 23505 when the id or the slug is taken. */
  insert(record: ProjectRecord): Promise<void>
  /** Inserts the project, or changes it and increases its version. Throws SqlError 23505 when the slug is taken. */
  put(record: ProjectRecord): Promise<void>
  /** Locks the project, so that nothing is added to it until the transaction ends. False if it does not exist. */
  lock(organizationId: OrganizationId, id: ProjectId): Promise<boolean>
  /** Locks a resource until the transaction ends. */
  lockThing(organizationId: OrganizationId, kind: MovableKind, id: string): Promise<void>
  /** Moves resources of one kind; a voice moves with its agent, and numbers with their trunk. null: to the organization level. */
  moveThings(
    organizationId: OrganizationId,
    kind: MovableKind,
    ids: readonly string[],
    projectId: ProjectId | null,
  ): Promise<void>
  /** Deletes an empty project. Its deleted workflows move to the organization level, because their runs are kept. */
  delete(organizationId: OrganizationId, id: ProjectId): Promise<void>
}
