import type { OrganizationId, ProjectId } from '@troupe/contract'

/**
 * The data that a query may access. `projectId` null is an organization-scoped caller, who sees every project
 * and the organization level; a project-scoped caller sees only that project. Tenant data has no unscoped
 * reader.
 */
export interface Scope {
  organizationId: OrganizationId
  projectId: ProjectId | null
}
