import type { VoiceSessionId } from '@troupe/contract'
import type { VoiceWorkerStore } from '@troupe/voice'
import { uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { hasRoomFor } from '../sessions/worker-room.ts'

/**
 * Of the sessions that a heartbeat names, those of this worker are marked as seen; it must end the others. Sessions
 * that no worker has accepted yet are neither.
 */
const BEAT = statement<
  'workerId' | 'capacity' | 'jobs' | 'draining' | 'version' | 'now' | 'sessionIds' | 'present'
>('voice_worker_beat', (p) => {
  // Evaluated on the locked row: a webhook may just have made it active.
  const joins = `v.kind = 'web' and v.session_state = 'waiting'
      and v.id in (select value::uuid from json_array_elements_text(${p.present}::json))`
  return `
with worker as (
  insert into voice_workers (id, started_at, last_seen_at, capacity, active_jobs, draining, version)
  values (${p.workerId}, ${p.now}::timestamptz, ${p.now}::timestamptz, ${p.capacity}::int, ${p.jobs}::int,
    ${p.draining}::boolean, ${p.version})
  on conflict (id) do update set last_seen_at = excluded.last_seen_at, capacity = excluded.capacity,
    active_jobs = excluded.active_jobs, draining = excluded.draining, version = excluded.version
), named as (
  select value::uuid as id from json_array_elements_text(${p.sessionIds}::json)
), seen as (
  update voice_sessions v set worker_seen_at = greatest(v.worker_seen_at, ${p.now}::timestamptz),
    session_state = case when ${joins} then 'active' else v.session_state end,
    joined_at = case when ${joins} then ${p.now}::timestamptz else v.joined_at end,
    first_joined_at = case when ${joins} then ${p.now}::timestamptz else v.first_joined_at end,
    phase_deadline = case when ${joins} then null else v.phase_deadline end
  from named where v.id = named.id and v.worker_id = ${p.workerId}
    and v.session_state in ('starting', 'waiting', 'dialing', 'active')
  returning v.id
)
select named.id from named
where not exists (select 1 from seen where seen.id = named.id) and not exists (
  select 1 from voice_sessions v where v.id = named.id and v.worker_id is null
    and v.session_state in ('starting', 'waiting', 'dialing', 'active')
)`
}).returning({ id: uuid<VoiceSessionId>() })

const SWEEP = statement<'before'>(
  'sweep_voice_workers',
  (p) => `delete from voice_workers where last_seen_at < ${p.before}::timestamptz`,
)

/** The processes that hear and speak in rooms. */
export function voiceWorkerRows(client: SqlClient): VoiceWorkerStore {
  return {
    async beat({ sessionIds, callersPresent, ...beat }, now) {
      const jobs = sessionIds.length
      const lists = { sessionIds: JSON.stringify(sessionIds), present: JSON.stringify(callersPresent) }
      const values = { ...beat, ...lists, jobs }
      const rows = await client.query(...BEAT({ ...values, now: now.toISOString() }))
      return { end: rows.map(({ id }) => id) }
    },
    hasRoom: (seenAfter) => hasRoomFor(client, seenAfter, 1),
    async sweep(before) {
      await client.query(...SWEEP({ before: before.toISOString() }))
    },
  }
}
