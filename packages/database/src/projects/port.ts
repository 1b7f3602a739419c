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
  put(record: ProjectRecord): Promise<void>
}
