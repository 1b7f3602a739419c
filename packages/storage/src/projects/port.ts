import type { OrganizationId, ProjectId } from '@troupe/contract'

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
  /** Locks the project, so that nothing is added to it until the transaction ends. False when there is none. */
  lock(organizationId: OrganizationId, id: ProjectId): Promise<boolean>
  /** Deletes an empty project; deleted workflows of it stay with the organization for the sake of their runs. */
  delete(organizationId: OrganizationId, id: ProjectId): Promise<void>
}
