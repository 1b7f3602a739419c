/** Statuses of agent and team runs, in the order of a run's life. */
export const AGENT_RUN_STATUSES = [
  'queued',
  'running',
  'completed',
  'failed',
  'timeout',
  'cancelled',
] as const

/** A timestamp as milliseconds since the epoch. */
export const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`

/** The first line of an error; lists never show more. */
export const firstLine = (column: string) => `left(split_part(${column}, chr(10), 1), 300)`

/** Why a run of an agent or a team is in flight without a worker. */
const AGENT_REASON = `case when r.status = 'running' and r.waiting_since is not null then 'waiting for an approval'
  when r.status = 'queued' then 'waiting for a worker' end`

const WORKFLOW_REASON = `case w.status when 'queued' then 'waiting for a worker' when 'paused' then w.pause_reason
  when 'awaiting_approval' then w.waits_for end`

/** Above this number of nodes, a list leaves out tokens and cost, so that the cost of a page does not depend on its runs. */
const MOST_NODES = 1_000

/**
 * A root run of an agent or a team as JSON of {@link RunOverview}, over `runs r`. Names are looked up per row: a page
 * has at most 500.
 */
const AGENT_SUMMARY = `json_build_object('runId', r.id, 'kind', r.kind, 'isTest', r.is_test,
  'entityId', r.entity_id,
  'entityName', case r.kind when 'agent' then (select name from agents where id = r.entity_id and organization_id = r.organization_id)
    else (select name from teams where id = r.entity_id and organization_id = r.organization_id) end,
  'projectId', r.project_id, 'versionId', r.entity_version_id,
  'versionNumber', case r.kind when 'agent' then (select n from agent_versions where id = r.entity_version_id)
    else (select n from team_versions where id = r.entity_version_id) end,
  'source', r.source, 'status', r.status, 'statusReason', ${AGENT_REASON}, 'success', r.success,
  'errorCode', r.error_code, 'error', ${firstLine('r.error_message')},
  'createdAt', ${millis('r.created_at')}, 'startedAt', ${millis('r.started_at')}, 'completedAt', ${millis('r.completed_at')},
  'inputTokens', r.input_tokens, 'outputTokens', r.output_tokens,
  'costMicros', (select sum(u.cost_micros) from usage_records u where u.run_id = r.id),
  'startedBy', case when r.api_key_id is not null then json_build_object('kind', 'api_key', 'id', r.api_key_id,
    'name', (select name from api_keys k where k.id = r.api_key_id and k.organization_id = r.organization_id))
    when r.started_by_user_id is not null then json_build_object('kind', 'user', 'id', r.started_by_user_id,
      'name', (select p.name from users p where p.id = r.started_by_user_id)) end,
  'sessionId', (select s.session_id from sessions s where s.id = r.session_row_id), 
  'sessionRowId', r.session_row_id, 'userId', r.user_id, 'tag', r.tag,
  'workflowRunId', r.workflow_run_id)`

/** The name of the agent or the team whose tool started `workflow_runs w`. */
const STARTING_RUN = `(select case r.kind
    when 'agent' then (select name from agents where id = r.entity_id and organization_id = r.organization_id)
    else (select name from teams where id = r.entity_id and organization_id = r.organization_id) end
  from runs r where r.id = w.started_by_run_id and r.organization_id = w.organization_id)`

/** The same for a workflow's run, over `workflow_runs w`. Tokens are the sum of its nodes; cost also includes its own calls. */
const WORKFLOW_SUMMARY = `json_build_object('runId', w.id, 'kind', 'workflow', 'isTest', w.kind = 'test',
  'entityId', w.workflow_id,
  'entityName', (select name from workflows where id = w.workflow_id and organization_id = w.organization_id),
  'projectId', w.project_id, 'versionId', w.version_id,
  'versionNumber', (select n from workflow_versions where id = w.version_id),
  'source', w.source, 'status', w.status, 'statusReason', ${WORKFLOW_REASON},
  'success', case when w.completed_at is not null then w.status = 'completed' end,
  'errorCode', null, 'error', ${firstLine('w.error')},
  'createdAt', ${millis('w.created_at')}, 'startedAt', ${millis('w.started_at')}, 'completedAt', ${millis('w.completed_at')},
  'inputTokens', nodes.input_tokens, 'outputTokens', nodes.output_tokens, 'costMicros', nodes.cost_micros,
  'startedBy', case
    when w.api_key_id is not null then json_build_object('kind', 'api_key', 'id', w.api_key_id,
      'name', (select name from api_keys k where k.id = w.api_key_id and k.organization_id = w.organization_id))
    when w.started_by_user_id is not null then json_build_object('kind', 'user', 'id', w.started_by_user_id,
      'name', (select p.name from users p where p.id = w.started_by_user_id))
    when w.started_by_run_id is not null then json_build_object('kind', 'run', 'id', w.started_by_run_id, 'name', ${STARTING_RUN}) end,
  'sessionId', null, 'sessionRowId', null, 'userId', null, 'tag', null, 'workflowRunId', null)`

/** Sums over the nodes of `workflow_runs w`; null if there are too many to sum in a list. */
const NODE_SUMS = `
left join lateral (
  select case when count(*) <= ${MOST_NODES} then coalesce(sum(n.input_tokens), 0) end as input_tokens,
    case when count(*) <= ${MOST_NODES} then coalesce(sum(n.output_tokens), 0) end as output_tokens,
    case when count(*) <= ${MOST_NODES} then (
      select sum(u.cost_micros) from usage_records u
      where u.run_id = w.id or u.run_id = any (array_agg(n.agent_run_id) filter (where n.agent_run_id is not null))
    ) end as cost_micros
  from (select * from workflow_node_runs all_nodes where all_nodes.run_id = w.id limit ${MOST_NODES + 1}) n
) nodes on true`

/** Joins the summary of each run of `from` (rows with `id` and `kind`) as `d.run`. */
export function SUMMARIES(from: string): string {
  return `left join lateral (
  select ${AGENT_SUMMARY} as run from runs r where r.id = ${from}.id and ${from}.kind <> 'workflow'
  union all
  select ${WORKFLOW_SUMMARY} from workflow_runs w ${NODE_SUMS}
  where w.id = ${from}.id and ${from}.kind = 'workflow'
) d on true`
}
