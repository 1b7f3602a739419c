import type { Project } from '@troupe/contract/builder'
import type { ConfigurationQuery, ProjectRow, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type ListPage, pageOf } from '../handlers/list-page.ts'

/** One page of projects with the number of their resources. */
export async function listProjects(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  query: ConfigurationQuery,
): Promise<ListPage<Project>> {
  return pageOf(query, await builder.projects.page(organizationId, query), presentProject)
}

/** A project as the builder shows it. */
export function presentProject({
  id: projectId,
  slug,
  name,
  version,
  contents,
  ...row
}: ProjectRow): Project {
  return {
    projectId,
    slug,
    name,
    version,
    contents,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
