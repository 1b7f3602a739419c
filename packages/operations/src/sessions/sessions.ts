import {
  AnyRunnableId,
  checkedId,
  parseId,
  type QueryOf,
  type ResultOf,
  SessionRowId,
} from '@troupe/contract'
import type { BUILDER_OPERATIONS, ListedSession, SessionDetail } from '@troupe/contract/builder'
import type { Database, ObservedSession, TracedSession } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { projectFilter } from '../handlers/project-filter.ts'
import { presentRun, usd } from '../runs/present-run.ts'
import { placeOf, presentPlace } from '../runs/run-place.ts'
import { sessionNotFound } from './find-session.ts'

type ListSessions = (typeof BUILDER_OPERATIONS)['listSessions']

const iso = (ms: number) => new Date(ms).toISOString()

function presentSession({
  entityId,
  entityName,
  costMicros,
  createdAt,
  lastRunAt,
  ...same
}: ObservedSession): ListedSession {
  return {
    ...same,
    entity: { id: entityId, name: entityName },
    costUsd: usd(costMicros),
    createdAt: iso(createdAt),
    lastRunAt: iso(lastRunAt),
  }
}

function presentSummary(summary: TracedSession['summary']): SessionDetail['summary'] {
  if (!summary?.readable) return null
  const { text, coversSeq, createdAt } = summary
  return { text, coversSeq, createdAt: iso(createdAt) }
}

/** One page of conversations, newest first. @throws DomainError `validation_error` */
export async function listObservedSessions(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  { after, limit = 20, ...query }: QueryOf<ListSessions>,
): Promise<ResultOf<ListSessions>> {
  const { entityId = null, userId = null, sessionId = null } = query
  const projectId = projectFilter(query.projectId)
  const { rows, next } = await observed.sessions(
    organizationId,
    {
      entityId: entityId === null ? null : checkedId(AnyRunnableId, entityId),
      ...{ userId, sessionId, projectId },
    },
    { after: placeOf(SessionRowId, after), limit },
  )
  return { data: rows.map(presentSession), next: presentPlace(next) }
}

/** A conversation with a page of its turns. @throws DomainError `session_not_found` */
export async function getObservedSession(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  id: string,
  { before, limit = 50 }: QueryOf<(typeof BUILDER_OPERATIONS)['getRunSession']>,
): Promise<SessionDetail> {
  const row = parseId(SessionRowId, id)
  const found = row && (await observed.session(organizationId, row, { before: before ?? null, limit }))
  if (!found) throw sessionNotFound()
  const { session, summary, turns, next } = found
  return {
    ...presentSession(session),
    summary: presentSummary(summary),
    turns: turns.map(({ seq, run, input, content, readable }) => ({
      seq,
      run: presentRun(run),
      input: readable.inputs ? input : null,
      content: readable.outputs ? content : null,
    })),
    next,
  }
}
