import type { QueryOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { OverviewFilter } from '@troupe/storage'
import { projectFilter } from '../handlers/project-filter.ts'

/** The filter of a list of agents or teams. */
export function overviewFilter(query: QueryOf<(typeof BUILDER_OPERATIONS)['listAgents']>): OverviewFilter {
  const { q, sort = '-updatedAt', projectId, status, page = 1, limit = 20 } = query
  const text = q?.trim() ?? ''
  return {
    q: text === '' ? null : text,
    sort,
    projectId: projectFilter(projectId),
    status: status ?? null,
    page,
    limit,
  }
}
