import { type Delivery, MAX_LOSSES, type TurnStore } from '@troupe/durable-work'
import { json, nullable, number } from '../sql/client/columns.ts'
import { BATCH, inBatches } from '../sql/client/in-batches.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { STORED_NOW } from '../sql/client/stored-now.ts'
import { also, oneOf, type TurnTable } from './turn-table.ts'

/** Verdicts that end a row. */
const ENDS = `('undispatched', 'not_started', 'overdue', 'lost_for_good')`

/** The verdict on a row whose worker was lost. */
function gone({ statuses: { resting } }: TurnTable): string {
  const rests = resting.length > 0 ? `when ${oneOf('status', resting)} then 'left_resting' ` : ''
  return `case ${rests}when losses >= ${MAX_LOSSES - 1} then 'lost_for_good' else 'lost' end`
}

/**
 * Applies the verdicts of `held` (a preceding query: id, verdict, message; its rows are locked): rows end
 * together with their dependent rows, or become due again. A lost worker costs a slice, so that its late
 * writes fail the fence; only a row that had a lease has lost a worker.
 */
function verdictsDone({ table, statuses, sweep }: TurnTable, dueAt: string): string {
  const rests =
    statuses.resting.length === 0
      ? ''
      : `left_resting as (
  update ${table} t set worker_id = null, lease_until = null
  where t.id = any (array(select id from held where verdict = 'left_resting'))
), `
  return `
${sweep.blame}judged as (
  select id, verdict, case verdict when 'lost_for_good' then ${sweep.lostForGood} else message end as message
  from held where verdict in ${ENDS}
), ended as (
  update ${table} t set ${sweep.end}, completed_at = now(), worker_id = null, lease_until = null, dispatch_due_at = null
  from judged where t.id = judged.id and t.id = any (array(select id from judged))
  returning ${sweep.ended}
), ${sweep.followUps}, ${rests}continued as (
  update ${table} t set slice = t.slice + (t.lease_until is not null)::int,
    losses = t.losses + (t.lease_until is not null)::int, worker_id = null, lease_until = null, dispatch_due_at = ${dueAt}
  where t.id = any (array(select id from held where verdict in ('lost', 'due', 'forgotten')))
  returning t.id, t.slice
)`
}

type SweepParameter = 'dispatchSeconds' | 'queueSeconds'

/**
 * Rows that another sweep, a claim or a worker has locked are skipped; a row that changed since this
 * statement's snapshot is re-evaluated in its current state. So every due delivery goes to one caller, which
 * has 10 seconds to dispatch it.
 *
 * - An engine counts as unreachable only after a recent dispatch attempt: after an outage of every process, a
 *   row that has been due for longer is first dispatched again.
 * - No code path leaves a row in flight with neither lease nor due time. If one is found, it becomes due in
 *   10 seconds.
 * - A resting row becomes due through the event that it waits for, never through the sweep.
 */
function sweepStatement(table: TurnTable) {
  const { statuses, sweep, noun, lane } = table
  const { overdue } = sweep
  const rests = statuses.resting.length > 0 ? `when ${oneOf('status', statuses.resting)} then null` : ''
  return statement<SweepParameter>(
    `sweep_${noun}`,
    (p) => `
with held as (
  select id, verdict, case verdict when 'undispatched' then ${sweep.undispatched(p.dispatchSeconds)}
    when 'not_started' then ${sweep.notStarted(p.queueSeconds)} ${overdue ? `when 'overdue' then ${overdue.message}` : ''} end as message
  from ${table.table} t, lateral (
    select case
      when status = 'queued' and dispatched_at is null and created_at <= ${STORED_NOW} - make_interval(secs => ${p.dispatchSeconds}::float8)
        and dispatch_due_at > now() - interval '20 s' then 'undispatched'
      when status = 'queued' and dispatched_at <= ${STORED_NOW} - make_interval(secs => ${p.queueSeconds}::float8) then 'not_started'
      ${overdue ? `when ${overdue.when} then 'overdue'` : ''}
      when lease_until < now() then ${gone(table)}
      ${rests}
      when lease_until is null and dispatch_due_at <= ${STORED_NOW} then 'due'
      when lease_until is null and dispatch_due_at is null then 'forgotten'
    end as verdict
  ) judgement
  where ${also(table.delivered)}${oneOf('t.status', statuses.swept)} and verdict is not null
  order by created_at limit ${BATCH} for update of t skip locked
), ${verdictsDone(table, `now() + interval '10 s'`)}
select (select count(*) from held) as rows, (select count(*) from announced) as announced,
  (select json_agg(json_build_object('lane', '${lane}', 'runId', continued.id, 'slice', continued.slice))
    from continued join held on held.id = continued.id where held.verdict <> 'forgotten') as deliveries`,
  ).returning({ rows: number(), announced: number(), deliveries: nullable(json<Delivery[]>()) })
}

/**
 * On start, leases of earlier processes are void, and so is their in-memory queue. A row between two turns
 * has lost no worker. Due times are kept: see the first rule of the sweep.
 */
function recoverStatement(table: TurnTable) {
  const { resting, swept } = table.statuses
  const rests = resting.length > 0 ? `not ${oneOf('status', resting)}` : null
  const hurried = table.waits === null ? rests : `not (${table.waits})`
  return statement(
    `recover_${table.noun}`,
    () => `
with held as (
  select id, case when lease_until is null then 'due' else ${gone(table)} end as verdict, null::text as message
  from ${table.table} t
  where ${also(table.delivered)}${oneOf('t.status', swept)}
    and (lease_until is not null or ${also(hurried)}(dispatch_due_at is null or dispatch_due_at > now()))
  for update
), ${verdictsDone(table, 'least(t.dispatch_due_at, now())')}
select (select count(*) from announced) as announced`,
  ).returning({ announced: number() })
}

export function sweepTable(client: SqlClient, table: TurnTable): TurnStore<never, unknown>['sweep'] {
  const sweep = sweepStatement(table)
  return async (patience) => {
    const swept = await inBatches(client, ...sweep({ ...patience }))
    return swept.flatMap(({ deliveries }) => deliveries ?? [])
  }
}

export function recoverTable(client: SqlClient, table: TurnTable): TurnStore<never, unknown>['recover'] {
  const recover = recoverStatement(table)
  return async () => {
    await client.query(...recover({}))
  }
}
