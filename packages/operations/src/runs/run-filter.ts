import { AnyRunnableId, ApiKeyId, checkedId, type QueryOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { ObservedKind, RunFilter } from '@troupe/storage'
import { projectFilter } from '../handlers/project-filter.ts'

/** The query of a list of runs. */
export type RunsQuery = Omit<QueryOf<(typeof BUILDER_OPERATIONS)['listRuns']>, 'after' | 'limit'>

const KINDS: readonly ObservedKind[] = ['agent', 'team', 'workflow']
const listed = (text: string | undefined) => text?.split(',') ?? null
const ms = (seconds: number | undefined) => (seconds === undefined ? null : seconds * 1000)

/** The filter of a query, whose lists of values have been validated by its schema. */
export function runFilterOf(query: RunsQuery): RunFilter {
  const kinds = listed(query.kind)
  return {
    kinds: kinds && KINDS.filter((kind) => kinds.includes(kind)),
    entityId: query.entityId === undefined ? null : checkedId(AnyRunnableId, query.entityId),
    statuses: listed(query.status),
    sources: listed(query.source),
    from: ms(query.from),
    to: ms(query.to),
    apiKeyId: query.apiKeyId === undefined ? null : checkedId(ApiKeyId, query.apiKeyId),
    tag: query.tag ?? null,
    userId: query.userId ?? null,
    sessionId: query.sessionId ?? null,
    isTest: query.test ?? null,
    projectId: projectFilter(query.projectId),
    cause: query.cause ?? null,
  }
}
