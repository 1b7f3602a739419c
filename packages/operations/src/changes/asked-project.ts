import { checkedId, type IdText, type OrganizationId, ProjectId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { requireProject } from '../access/require-project.ts'

/**
 * The project that a request names, in the database's notation, so that it can be compared; null: the organization
 * level.
 *
 * @throws DomainError `project_not_found`
 */
export async function askedProject(
  read: Pick<Readers, 'projects'>,
  organizationId: OrganizationId,
  projectId: IdText<ProjectId> | null | undefined,
): Promise<ProjectId | null> {
  const id: ProjectId | null = projectId == null ? null : checkedId(ProjectId, projectId.toLowerCase())
  await requireProject(read, organizationId, id)
  return id
}

/**
 * The project of a resource after a change; a request without one keeps it.
 *
 * @throws DomainError `project_not_found`
 */
export async function projectAfter(
  read: Pick<Readers, 'projects'>,
  before: { organizationId: OrganizationId; projectId: ProjectId | null },
  asked: string | null | undefined,
): Promise<ProjectId | null> {
  return asked === undefined ? before.projectId : askedProject(read, before.organizationId, asked)
}
