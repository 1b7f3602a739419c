import type { AnyRunId, RunId } from '@troupe/contract'
import type { ClaimedSlice, StoppedTurn, TurnFence, TurnStore } from '@troupe/durable-work'
import { number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { also, oneOf, type TurnTable } from './turn-table.ts'

const AMONG = (parameter: string) =>
  `t.id = any (array(select value::uuid from json_array_elements_text(${parameter}::json)))`

export function renewLeases<Id extends AnyRunId>(
  client: SqlClient,
  { table, noun, statuses }: TurnTable,
): TurnStore<Id, unknown>['renewLeases'] {
  const renew = statement<'workerId' | 'leaseSeconds' | 'runIds'>(
    `renew_leases_of_${noun}`,
    (p) => `
update ${table} t set lease_until = now() + make_interval(secs => ${p.leaseSeconds}::float8)
where t.worker_id = ${p.workerId} and ${oneOf('t.status', statuses.leased)} and ${AMONG(p.runIds)}`,
  )
  return async (workerId, runIds, leaseSeconds) => {
    if (runIds.length === 0) return
    await client.query(...renew({ workerId, leaseSeconds, runIds: JSON.stringify(runIds) }))
  }
}

/**
 * A missing row has not ended: its start may be under way while the first work runs. A row in flight that
 * this worker does not own was taken over.
 */
export function endedTurns<Id extends AnyRunId>(
  client: SqlClient,
  { table, noun, statuses, handedOn }: TurnTable,
): TurnStore<Id, unknown>['ended'] {
  const inFlight = oneOf('t.status', statuses.inFlight)
  const ended = statement<'workerId' | 'runIds'>(
    `ended_turns_of_${noun}`,
    (p) => `
select t.id as "runId", case when ${inFlight} then 'lost' else 'cancel' end as reason from ${table} t
where ${AMONG(p.runIds)} and (not (${inFlight}) or ${also(handedOn)}t.worker_id is distinct from ${p.workerId})`,
  ).returning({ runId: uuid<Id>(), reason: text<StoppedTurn<Id>['reason']>() })
  return async (workerId, runIds) => {
    if (runIds.length === 0) return []
    return client.query(...ended({ workerId, runIds: JSON.stringify(runIds) }))
  }
}

/**
 * A delivery that a worker claimed before the engine acknowledged it does not become due again; a delayed
 * delivery becomes due again only after its planned time.
 */
export function dispatched(
  client: SqlClient,
  { table, noun, delivered }: TurnTable,
): (slice: ClaimedSlice, redeliverSeconds: number) => Promise<void> {
  const accept = statement<'runId' | 'slice' | 'redeliverSeconds'>(
    `dispatched_${noun}`,
    (p) => `
update ${table} t set dispatched_at = coalesce(t.dispatched_at, now()),
  dispatch_due_at = greatest(t.dispatch_due_at, now()) + make_interval(secs => ${p.redeliverSeconds}::float8)
where t.id = ${p.runId}::uuid and ${also(delivered)}t.slice = ${p.slice}::int and t.status in ('queued', 'running')
  and t.lease_until is null`,
  )
  return async ({ runId, slice }, redeliverSeconds) => {
    await client.query(...accept({ runId, slice, redeliverSeconds }))
  }
}

/**
 * Releases a row for its next turn, due immediately. Returns the new slice; null when the fence does not
 * hold.
 */
export function giveBack(
  client: SqlClient,
  { table, noun, handedOn }: TurnTable,
): (runId: RunId, fence: TurnFence) => Promise<number | null> {
  const release = statement<'runId' | 'workerId' | 'slice'>(
    `give_back_${noun}`,
    (p) => `
update ${table} t set slice = t.slice + 1, worker_id = null, lease_until = null, dispatch_due_at = now()
where t.id = ${p.runId}::uuid and ${also(handedOn)}t.status = 'running' and t.worker_id = ${p.workerId}
  and t.slice = ${p.slice}::int
returning t.slice`,
  ).returning({ slice: number() })
  return async (runId, { workerId, slice }) => {
    const [row] = await client.query(...release({ runId, workerId, slice }))
    return row?.slice ?? null
  }
}
