import type { IdText, ProjectId } from '@troupe/contract'
import { projectFilter } from './project-filter.ts'

/** One page of a list of configuration. */
export interface ListPage<T> {
  data: T[]
  total: number
  page: number
  limit: number
}

/** A page of rows as a list response. */
export function pageOf<Row, T>(
  { page = 1, limit = 20 }: { page?: number | undefined; limit?: number | undefined },
  { rows, total }: { rows: readonly Row[]; total: number },
  present: (row: Row) => T,
): ListPage<T> {
  return { data: rows.map(present), total, page, limit }
}

/** The query of a list of configuration for storage, with its project parsed. */
export function configurationQuery<Query extends { projectId?: IdText<ProjectId> | 'none' | undefined }>({
  projectId,
  ...query
}: Query): Omit<Query, 'projectId'> & { projectId?: ProjectId | 'none' } {
  const project = projectFilter(projectId)
  return { ...query, ...(project !== null && { projectId: project }) }
}
