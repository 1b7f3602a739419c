import type { OrganizationId, ProjectId } from '@troupe/contract'

/**
 * Whose data a query may touch. `projectId` null is an organization-scoped caller, who sees every project and the
 * organization level; a project-scoped caller sees that project only. There is no unscoped reader for tenant data.
 */
export interface Scope {
  organizationId: OrganizationId
  projectId: ProjectId | null
}
