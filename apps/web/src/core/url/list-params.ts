import type { IdText, ProjectId } from '@troupe/contract'
import { choiceParam, countParam, textParam, type ValuesOf } from './search-params.ts'

/** Rows of a page of a list of configuration. */
export const PAGE_ROWS = 50

/** The search parameters of every list of configuration: text, order and page. */
export const LIST_PARAMS = {
  q: textParam,
  sort: choiceParam(['-updatedAt', 'name'], '-updatedAt'),
  page: countParam,
}

/** The query of a list; an empty text and all projects are omitted. */
export function listQuery(
  { q, sort, page }: ValuesOf<typeof LIST_PARAMS>,
  projectId: IdText<ProjectId> | null,
) {
  return { page, limit: PAGE_ROWS, sort, ...(q ? { q } : {}), ...(projectId ? { projectId } : {}) }
}

/** The order after a press on a heading of a table. */
export function listSort(pressed: string): ValuesOf<typeof LIST_PARAMS>['sort'] {
  return pressed === 'name' ? 'name' : '-updatedAt'
}

/** The input of an operation that the chosen project narrows; null: all projects. */
export function projectInput(projectId: IdText<ProjectId> | null) {
  return { query: projectId === null ? {} : { projectId } }
}
