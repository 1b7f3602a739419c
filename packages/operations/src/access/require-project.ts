import { DomainError, type OrganizationId, type ProjectId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'

/** Also for projects of other organizations: both look the same. */
export function projectNotFound(): DomainError {
  return new DomainError('project_not_found', 'Project not found in this organization.')
}

/** @throws DomainError `project_not_found`; null, the organization level, always exists */
export async function requireProject(
  { projects }: Pick<Readers, 'projects'>,
  organizationId: OrganizationId,
  projectId: ProjectId | null,
): Promise<void> {
  if (projectId !== null && !(await projects.byId(organizationId, projectId))) throw projectNotFound()
}
