import type { VoiceUpkeepStore } from '@troupe/voice'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { chargedSeconds } from './charged-seconds.ts'
import { SESSION_COLUMNS, SESSION_IN_FLIGHT, SESSION_ROW } from './columns.ts'
import { eraseExpired } from './erase-expired.ts'

/**
 * The end of each overdue session, by the earliest of three deadlines: its maximum duration, then the minutes of a
 * call, then its phase. A call ends five seconds before its lease, so that the rounded charge stays within the
 * reservation.
 */
const END_OVERDUE = statement<'now' | 'limit' | 'billingUnitS'>(
  'end_overdue_voice_sessions',
  (p) => `
with overdue as (
  select id, case
    when expires_at <= ${p.now}::timestamptz then 'timeout'
    when session_state = 'active' then 'budget_exhausted'
    when session_state = 'waiting' then 'join_timeout'
    when session_state = 'dialing' then 'canceled'
    else 'start_failed' end as reason
  from voice_sessions
  where ${SESSION_IN_FLIGHT} and (expires_at <= ${p.now}::timestamptz or phase_deadline <= ${p.now}::timestamptz
    or (kind = 'outbound_call' and session_state = 'active'
      and answered_at + make_interval(secs => reserved_s - 5) <= ${p.now}::timestamptz))
  order by created_at limit ${p.limit}::int for update skip locked
)
update voice_sessions v set ended_reason = overdue.reason, ended_at = ${p.now}::timestamptz, phase_deadline = null,
  session_state = case when overdue.reason in ('canceled', 'start_failed') then 'failed' else 'completed' end,
  job_token_hash = null, charged_s = ${chargedSeconds(p.now, p.billingUnitS)}
from overdue where v.id = overdue.id
returning ${SESSION_COLUMNS}`,
).returning(SESSION_ROW)

const ROOMS_TO_DELETE = statement<'limit'>(
  'voice_rooms_to_delete',
  (p) => `
select ${SESSION_COLUMNS} from voice_sessions v
where v.session_state in ('completed', 'failed') and not v.room_gone order by v.ended_at limit ${p.limit}::int`,
).returning(SESSION_ROW)

const WITH_ROOMS = statement<'createdBefore'>(
  'voice_sessions_with_rooms',
  (p) => `
select ${SESSION_COLUMNS} from voice_sessions v
where v.${SESSION_IN_FLIGHT} and v.session_state in ('waiting', 'active') and v.created_at < ${p.createdBefore}::timestamptz
order by v.created_at`,
).returning(SESSION_ROW)

const MISSED_PROBE = statement<'organizationId' | 'id' | 'at'>(
  'voice_room_missed',
  (p) => `
update voice_sessions set missed_probe_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
  and session_state in ('starting', 'waiting', 'dialing', 'active')`,
)

const WITHOUT_WORKER = statement<'seenBefore' | 'leftBefore' | 'dispatchedBefore'>(
  'voice_sessions_without_worker',
  (p) => `
select ${SESSION_COLUMNS} from voice_sessions v
where v.${SESSION_IN_FLIGHT} and v.session_state in ('waiting', 'dialing', 'active') and (
  case when v.agent_ready_at is null then v.dispatched_at < ${p.dispatchedBefore}::timestamptz
  else v.worker_seen_at < ${p.seenBefore}::timestamptz
    or (v.agent_left_at < ${p.leftBefore}::timestamptz and v.worker_seen_at < ${p.leftBefore}::timestamptz) end
)
order by v.created_at`,
).returning(SESSION_ROW)

/** Reads for periodic upkeep, and the ends that it writes, over all organizations. */
export function voiceUpkeepRows(client: SqlClient): VoiceUpkeepStore {
  return {
    endOverdue: (now, { billingUnitS, limit }) =>
      client.query(...END_OVERDUE({ now: now.toISOString(), limit, billingUnitS })),
    eraseExpired: eraseExpired(client),
    roomsToDelete: (limit) => client.query(...ROOMS_TO_DELETE({ limit })),
    withRooms: (before) => client.query(...WITH_ROOMS({ createdBefore: before.toISOString() })),
    async missedProbe(key, at) {
      await client.query(...MISSED_PROBE({ ...key, at: at?.toISOString() ?? null }))
    },
    withoutWorker: ({ seenBefore, leftBefore, dispatchedBefore }) =>
      client.query(
        ...WITHOUT_WORKER({
          seenBefore: seenBefore.toISOString(),
          leftBefore: leftBefore.toISOString(),
          dispatchedBefore: dispatchedBefore.toISOString(),
        }),
      ),
  }
}
