import { number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { SESSION_IN_FLIGHT } from './columns.ts'

/**
 * A heartbeat is a few seconds old: sessions that a worker has accepted since, and those still waiting for one, also
 * take room.
 */
const HAS_ROOM = statement<'seenAfter' | 'more'>(
  'voice_worker_has_room',
  (p) => `
with taken as (
  select v.worker_id, count(*) as jobs from voice_sessions v
  where v.${SESSION_IN_FLIGHT} and v.expires_at > ${p.seenAfter}::timestamptz group by v.worker_id
)
select 1 as found from voice_workers w left join taken on taken.worker_id = w.id
where w.last_seen_at > ${p.seenAfter}::timestamptz and not w.draining
having sum(greatest(0, w.capacity - greatest(w.active_jobs, coalesce(taken.jobs, 0))))
  >= coalesce((select jobs from taken where worker_id is null), 0) + ${p.more}::int`,
).returning({ found: number() })

const LOCK = statement<never>(
  'lock_voice_workers',
  () => `select pg_advisory_xact_lock(hashtextextended('voice:workers', 0))`,
)

/** Whether workers seen since then have room for the stored sessions that wait for one, and for `more` others. */
export async function hasRoomFor(client: SqlClient, seenAfter: Date, more: number): Promise<boolean> {
  const rows = await client.query(...HAS_ROOM({ seenAfter: seenAfter.toISOString(), more }))
  return rows.length > 0
}

/** Undoes the transaction of a session whose room on a worker another start took in the meantime. */
export class RoomTaken extends Error {
  override readonly name = 'RoomTaken'
}

/**
 * Keeps the session inserted by this transaction only if there is still room. Of two starts for the last room, the
 * second waits here until the first has committed, and counts its row. This lock is taken last, so that it cannot
 * deadlock and is held for one query.
 *
 * @throws RoomTaken
 */
export async function takeRoom(client: SqlClient, seenAfter: Date): Promise<void> {
  await client.query(...LOCK({}))
  if (!(await hasRoomFor(client, seenAfter, 0))) throw new RoomTaken()
}
