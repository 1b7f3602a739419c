import { MAX_LOSSES } from '@troupe/durable-work'
import type { TurnTable } from '../../durable-work/turn-table.ts'
import { CHANNEL } from '../../listen-notify/listeners.ts'
import { APPENDED_END } from '../events/stored-events.ts'

const IN_FLIGHT = ['queued', 'running']
const IS_LATE = `judged.verdict in ('not_started', 'overdue')`

/**
 * Jobs among the rows of runs. They share leases and ends with every run, but only jobs are delivered; the
 * runs of workflow nodes change owner with their workflow. The working time starts with the first claim. When
 * the sweeper ends a job, it appends the end to the job's log and deletes its journal.
 */
export const JOB_TABLE: TurnTable = {
  table: 'runs',
  lane: 'jobs',
  noun: 'job',
  statuses: {
    inFlight: IN_FLIGHT,
    claimable: IN_FLIGHT,
    leased: ['running'],
    swept: IN_FLIGHT,
    resting: [],
  },
  delivered: `t.source = 'api_async'`,
  waits: 't.waiting_since is not null',
  handedOn: `t.source in ('api_async', 'workflow')`,
  claim: {
    assignments: `,
  deadline_at = coalesce(t.deadline_at + coalesce(now() - t.waiting_since, interval '0'),
    now() + make_interval(secs => t.limit_seconds)), waiting_since = null`,
    join: { from: 'sessions s', where: 's.id = t.session_row_id' },
    returned: `t.id, t.slice, t.kind, t.entity_id, t.entity_version_id, t.pins, t.organization_id, t.project_id,
  t.api_key_id, s.session_id, t.session_seq, t.user_id, t.input, t.include_messages, t.tag, t.created_at, t.started_at,
  t.deadline_at, t.limit_seconds, t.tool_context_sealed, t.names_user`,
  },
  sweep: {
    undispatched: () => `'The job could not be dispatched: the engine is unreachable.'`,
    notStarted: () => `'The job was not started in time.'`,
    overdue: {
      when: `waiting_since is null and deadline_at < now() - interval '60 s'`,
      message: `format('The job ran longer than %s seconds.', limit_seconds)`,
    },
    lostForGood: `format('The worker was lost ${MAX_LOSSES} times at step %s.',
      (select count(*) + 1 from run_steps where run_id = held.id))`,
    blame: '',
    end: `status = case when ${IS_LATE} then 'timeout' else 'failed' end, success = false,
    error_code = case when ${IS_LATE} then 'execution_timeout' else 'upstream_error' end, error_message = judged.message,
    tool_context_sealed = null`,
    ended: 't.id, t.organization_id, t.error_code, t.error_message',
    followUps: `told as (${APPENDED_END('ended', 'RunError', `'error', o.error_code, 'message', o.error_message`)}
), journal as (
  delete from run_steps where run_id = any (array(select id from ended))
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'run_events', 'runId', id)::text) from ended
)`,
  },
}
