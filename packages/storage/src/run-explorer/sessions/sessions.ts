import type { SessionRowId } from '@troupe/contract'
import { json, nullable } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableNullable } from '../../sql/client/storable.ts'
import type { Observation } from '../port/observation.ts'
import type { ObservedSession, ObservedTurn, SessionPlace } from '../port/sessions.ts'
import { READABLE } from '../runs/readable-texts.ts'
import { millis, SUMMARIES } from '../runs/summary.ts'

/** Maximum sessions that a page examines. */
const WINDOW = 5_000

const FIRST_CHARACTERS = 200

/** The start of the first message of a session `s`; null if its texts are not kept or not shown. */
const FIRST_MESSAGE = `(
  select case when (${READABLE('r')} ->> 'inputs')::boolean then left(r.input, ${FIRST_CHARACTERS}) end
  from runs r where r.session_row_id = s.id and r.organization_id = s.organization_id and r.session_seq is not null
  order by r.session_seq limit 1)`

/** Above this number of runs, a list leaves out the cost, so that the cost of a page does not depend on its conversations. */
const MOST_RUNS = 200

/** The status of the newest run of a session `s`; null if all of them are deleted. */
const LAST_STATUS = `(
  select r.status from runs r where r.session_row_id = s.id and r.organization_id = s.organization_id and r.session_seq is not null
  order by r.session_seq desc limit 1)`

/** The cost of the calls of a session `s`. */
const COST = `case when s.last_seq <= ${MOST_RUNS} then (
  select sum(u.cost_micros) from runs r join usage_records u on u.run_id = r.id
  where r.session_row_id = s.id and r.organization_id = s.organization_id) end`

/** A session `s` as JSON of {@link ObservedSession}. */
const SESSION = `json_build_object('id', s.id, 'sessionId', s.session_id, 'kind', s.kind, 'entityId', s.entity_id,
  'entityName', case s.kind when 'agent' then (select name from agents where id = s.entity_id and organization_id = s.organization_id)
    else (select name from teams where id = s.entity_id and organization_id = s.organization_id) end,
  'projectId', s.project_id, 'userId', s.user_id, 'firstMessage', ${FIRST_MESSAGE}, 'runs', s.last_seq,
  'lastStatus', ${LAST_STATUS}, 'costMicros', ${COST},
  'createdAt', ${millis('s.created_at')}, 'lastRunAt', ${millis('s.last_run_at')})`

type PageParameter =
  | 'organizationId'
  | 'entityId'
  | 'userId'
  | 'sessionId'
  | 'level'
  | 'projectId'
  | 'afterTime'
  | 'afterId'
  | 'limit'

const PAGE_SESSIONS = statement<PageParameter>(
  'page_observed_sessions',
  (p) => `
with seen as (
  select id, created_at, entity_id, user_id, session_id, project_id from sessions
  where organization_id = ${p.organizationId}::uuid
    and (created_at, id) < (coalesce(${p.afterTime}::timestamptz, 'infinity'), coalesce(${p.afterId}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  order by created_at desc, id desc limit ${WINDOW}
), page as (
  select id, created_at from seen
  where (${p.entityId}::uuid is null or entity_id = ${p.entityId}::uuid)
    and (${p.userId}::text is null or user_id = ${p.userId})
    and (${p.sessionId}::text is null or session_id = ${p.sessionId})
    and case ${p.level}::text when 'one' then project_id = ${p.projectId}::uuid when 'none' then project_id is null else true end
  order by created_at desc, id desc limit ${p.limit}::int
)
select (select json_agg(${SESSION} order by s.created_at desc, s.id desc) from page join sessions s on s.id = page.id) as rows,
  (select case when count(*) = ${WINDOW} then
    (select json_build_object('createdAt', ${millis('created_at')}, 'id', id) from seen order by created_at, id limit 1)
    end from seen) as examined`,
).returning({
  rows: nullable(json<ObservedSession[]>()),
  examined: nullable(json<SessionPlace<SessionRowId>>()),
})

/**
 * Whether every turn that a summary `m` of a session `s` covers may be read. A deleted turn cannot be checked, so its
 * summary is not shown.
 */
const SUMMARY_READABLE = `(
  select count(*) = m.covers_session_seq
    and coalesce(bool_and((turn.readable ->> 'inputs')::boolean and (turn.readable ->> 'outputs')::boolean), true)
  from (
    select ${READABLE('r')} as readable from runs r
    where r.session_row_id = s.id and r.organization_id = s.organization_id and r.session_seq <= m.covers_session_seq
  ) turn)`

const FIND_SESSION = statement<'organizationId' | 'id' | 'before' | 'limit'>(
  'find_observed_session',
  (p) => `
with page as (
  select id, kind, session_seq from runs
  where session_row_id = ${p.id}::uuid and organization_id = ${p.organizationId}::uuid and session_seq is not null
    and (${p.before}::int is null or session_seq < ${p.before}::int)
  order by session_seq desc limit ${p.limit}::int
)
select ${SESSION} as session, (
  select json_agg(json_build_object('seq', page.session_seq, 'run', d.run, 'input', r.input, 'content', r.content, 'readable', ${READABLE('r')})
    order by page.session_seq desc)
  from page join runs r on r.id = page.id ${SUMMARIES('page')}
) as turns, (
  select json_build_object('text', m.text, 'coversSeq', m.covers_session_seq, 'createdAt', ${millis('m.created_at')},
    'readable', ${SUMMARY_READABLE})
  from session_summaries m where m.session_row_id = s.id order by m.version desc limit 1
) as summary
from sessions s where s.id = ${p.id}::uuid and s.organization_id = ${p.organizationId}::uuid`,
).returning({
  session: json<ObservedSession>(),
  turns: nullable(json<ObservedTurn[]>()),
  summary: nullable(json<{ text: string; coversSeq: number; createdAt: number; readable: boolean }>()),
})

export function pageObservedSessions(client: SqlClient): Observation['sessions'] {
  return async (organizationId, { entityId, userId, sessionId, projectId }, { after, limit }) => {
    const level = projectId === null ? null : projectId === 'none' ? 'none' : 'one'
    const [row] = await client.query(
      ...PAGE_SESSIONS({
        ...{ organizationId, entityId, level },
        userId: storableNullable(userId),
        sessionId: storableNullable(sessionId),
        projectId: level === 'one' ? projectId : null,
        afterTime: after && new Date(after.createdAt).toISOString(),
        afterId: after?.id ?? null,
        limit: limit + 1,
      }),
    )
    const found = row?.rows ?? []
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    if (found.length > limit && last) return { rows, next: { createdAt: last.createdAt, id: last.id } }
    return { rows, next: row?.examined ?? null }
  }
}

export function findObservedSession(client: SqlClient): Observation['session'] {
  return async (organizationId, id, { before, limit }) => {
    const [row] = await client.query(...FIND_SESSION({ organizationId, id, before, limit: limit + 1 }))
    if (!row) return null
    const turns = (row.turns ?? []).slice(0, limit)
    const hasMore = (row.turns?.length ?? 0) > limit
    return { ...row, turns, next: hasMore ? (turns.at(-1)?.seq ?? null) : null }
  }
}
