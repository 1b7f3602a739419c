import type { JobStore } from '@troupe/agents/ports'
import { CHANNEL } from '../../signals/listeners.ts'
import type { SqlClient } from '../../sql/sql-client.ts'
import { APPENDED_END } from '../events/stored-events.ts'

/** Rows per statement, so that no sweep holds locks or grows a transaction for long. */
const BATCH = 500
/** How often a worker may be lost on one step before the step is to blame. */
export const MAX_LOSSES = 3

const GONE = `when losses >= ${MAX_LOSSES - 1} then 'lost_for_good' else 'lost'`

/**
 * What follows from the verdicts on `held` (a query before it: id, limit_seconds, verdict; its rows are locked): jobs
 * end, with the end in their log and without journal, or are due again. A lost worker costs its turn, so that whatever
 * it still sends finds another fence; only a row that had a lease has lost one.
 */
function VERDICTS_DONE(dueAt: string): string {
  return `
judged as (
  select id, case verdict
    when 'undispatched' then 'The job could not be dispatched: the engine is unreachable.'
    when 'not_started' then 'The job was not started in time.'
    when 'overdue' then format('The job ran longer than %s seconds.', limit_seconds)
    when 'lost_for_good' then format('The worker was lost ${MAX_LOSSES} times at step %s.',
      (select count(*) + 1 from run_steps where run_id = held.id))
  end as message, verdict in ('not_started', 'overdue') as late
  from held where verdict in ('undispatched', 'not_started', 'overdue', 'lost_for_good')
), ended as (
  update runs set status = case when late then 'timeout' else 'failed' end, success = false,
    error_code = case when late then 'execution_timeout' else 'upstream_error' end, error_message = message,
    completed_at = now(), worker_id = null, lease_until = null, dispatch_due_at = null
  from judged where runs.id = judged.id and runs.id = any (array(select id from judged))
  returning runs.id, organization_id, error_code, error_message
), told as (${APPENDED_END('ended', 'RunError', `'error', o.error_code, 'message', o.error_message`)}
), journal as (
  delete from run_steps where run_id = any (array(select id from ended))
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'run_events', 'runId', id)::text) from ended
), continued as (
  update runs set slice = slice + (lease_until is not null)::int, losses = losses + (lease_until is not null)::int,
    worker_id = null, lease_until = null, dispatch_due_at = ${dueAt}
  where id = any (array(select id from held where verdict in ('lost', 'due', 'forgotten')))
  returning id, slice
)`
}

/**
 * Rows that another sweep, a claim or a worker holds at this moment are skipped; one that has changed since this
 * statement's snapshot is judged again as it is now. So every due delivery goes to one caller, who has 10 seconds to
 * hand it in.
 *
 * - An engine counts as unreachable only when somebody tried it of late: after an outage of every process, a job that
 *   has been due for longer is handed out first.
 * - Nothing leaves a job in flight without lease and without due time. Should one be found, it is due in 10 seconds.
 */
const SWEEP_JOBS = {
  name: 'sweep_jobs',
  text: `
with held as (
  select id, limit_seconds, verdict
  from runs, lateral (
    select case
      when status = 'queued' and dispatched_at is null and created_at < now() - make_interval(secs => $1::float8)
        and dispatch_due_at > now() - interval '20 s' then 'undispatched'
      when status = 'queued' and dispatched_at < now() - make_interval(secs => $2::float8) then 'not_started'
      when deadline_at < now() - interval '60 s' then 'overdue'
      when lease_until < now() then case ${GONE} end
      when lease_until is null and dispatch_due_at <= now() then 'due'
      when lease_until is null and dispatch_due_at is null then 'forgotten'
    end as verdict
  ) judgement
  where source = 'api_async' and status in ('queued', 'running') and verdict is not null
  order by created_at limit ${BATCH} for update of runs skip locked
), ${VERDICTS_DONE(`now() + interval '10 s'`)}
select (select count(*) from held) as rows, (select count(*) from announced) as announced,
  (select json_agg(json_build_object('lane', 'jobs', 'runId', continued.id, 'slice', continued.slice))
    from continued join held on held.id = continued.id where held.verdict <> 'forgotten') as deliveries`,
}

/**
 * A lease of an earlier process is void, and so is what lay in its queue. A job that lay between two turns has lost no
 * worker. What was due stays due since then: see the first rule of `sweep_jobs`.
 */
const RECOVER_JOBS = {
  name: 'recover_jobs',
  text: `
with held as (
  select id, limit_seconds, case when lease_until is null then 'due' ${GONE} end as verdict
  from runs
  where source = 'api_async' and status in ('queued', 'running')
    and (lease_until is not null or dispatch_due_at is null or dispatch_due_at > now())
  for update
), ${VERDICTS_DONE('least(dispatch_due_at, now())')}
select (select count(*) from announced) as announced`,
}

interface Swept {
  rows: number
  deliveries: Awaited<ReturnType<JobStore['sweep']>> | null
}

export function sweepJobs(client: SqlClient): JobStore['sweep'] {
  return async ({ dispatchSeconds, queueSeconds }) => {
    const deliveries: Swept['deliveries'] = []
    for (;;) {
      const [swept] = await client.query<Swept>(SWEEP_JOBS, [dispatchSeconds, queueSeconds])
      deliveries.push(...(swept?.deliveries ?? []))
      if (!swept || swept.rows < BATCH) return deliveries
    }
  }
}

export function recoverJobs(client: SqlClient): JobStore['recover'] {
  return async () => {
    await client.query(RECOVER_JOBS, [])
  }
}
