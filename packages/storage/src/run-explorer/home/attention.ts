import { json, nullable, number, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import type { Attention } from '../port/attention.ts'
import type { Observation } from '../port/observation.ts'
import { agentCause, entityName, FAILED_LIST, workflowCause } from '../runs/cause.ts'
import { firstLine, millis } from '../runs/summary.ts'

/** Maximum newest failures to group: a burst of them must not make the page slow. */
const MOST_FAILURES = 2_000
const MOST_GROUPS = 20
const MOST_SCHEDULES = 20
/** Maximum newest model calls to examine. */
const MOST_CALLS = 2_000

/** A call ended by a person or by the run's time limit does not count as a failure of its model. */
const HAS_FAILED = `not ok and error_code is distinct from 'aborted'`

/** The scope of the counts: the SQL of the organization, and a condition on the project of a row. */
interface Scope {
  organization: string
  /** On a column such as `project_id`; empty for all projects. */
  inProject(column: string): string
}

const failed = ({ organization, inProject }: Scope) => `
  (select kind, entity_id, error_code, ${agentCause('runs')} as cause, ${firstLine('error_message')} as error, id, created_at, completed_at from runs
   where organization_id = ${organization}::uuid and kind in ('agent', 'team') and parent_run_id is null
     and workflow_run_id is null and not is_test and status in ('failed', 'timeout')
     and completed_at >= now() - interval '24 hours' ${inProject('project_id')}
   order by completed_at desc limit ${MOST_FAILURES})
  union all
  (select 'workflow', workflow_id, null, ${workflowCause('workflow_runs')}, ${firstLine('error')}, id, created_at, completed_at from workflow_runs
   where kind = 'run' and organization_id = ${organization}::uuid and status in (${FAILED_LIST})
     and completed_at >= now() - interval '24 hours' ${inProject('project_id')}
   order by completed_at desc limit ${MOST_FAILURES})`

const FAILURES = ({ organization, inProject }: Scope) => `
select json_agg(json_build_object('kind', g.kind, 'entityId', g.entity_id,
    'entityName', ${entityName('g', `${organization}::uuid`)},
    'code', g.error_code, 'cause', g.cause, 'count', g.failures, 'lastRunId', g.last_run_id, 'lastError', g.last_error,
    'lastAt', ${millis('g.last_at')}, 'since', ${millis('g.since')}) order by g.failures desc, g.last_at desc)
from (
  select kind, entity_id, error_code, cause, count(*) as failures, max(completed_at) as last_at, min(created_at) as since,
    (array_agg(id order by completed_at desc))[1] as last_run_id, (array_agg(error order by completed_at desc))[1] as last_error
  from (${failed({ organization, inProject })}) f
  group by kind, entity_id, error_code, cause order by count(*) desc, max(completed_at) desc limit ${MOST_GROUPS}
) g`

const SCHEDULES = ({ organization, inProject }: Scope) => `
select json_agg(json_build_object('workflowId', p.workflow_id, 'workflowName', p.name, 'nodeId', p.node_id,
    'outcome', p.outcome, 'count', p.times, 'reason', p.reason, 'lastAt', ${millis('p.last_at')}) order by p.last_at desc)
from (
  select s.workflow_id, w.name, s.node_id, f.outcome, f.times, f.reason, f.last_at
  from schedules s join workflows w on w.id = s.workflow_id and w.organization_id = s.organization_id
  cross join lateral (
    select outcome, count(*) as times, max(scheduled_for) as last_at,
      (array_agg(reason order by scheduled_for desc))[1] as reason
    from schedule_fires o
    where o.workflow_id = s.workflow_id and o.node_id = s.node_id and o.scheduled_for >= now() - interval '24 hours'
      and o.outcome in ('missed', 'skipped')
    group by outcome
  ) f
  where s.organization_id = ${organization}::uuid ${inProject('w.project_id')}
  order by f.last_at desc limit ${MOST_SCHEDULES}
) p`

const EXPIRING_KEYS = ({ organization, inProject }: Scope) => `
select json_agg(json_build_object('apiKeyId', k.id, 'name', k.name, 'expiresAt', ${millis('k.expires_at')}) order by k.expires_at)
from api_keys k
where k.organization_id = ${organization}::uuid and k.revoked_at is null and k.expires_at > now()
  and k.expires_at < now() + interval '14 days' ${inProject('k.project_id')}
  and not exists (select from api_keys newer where newer.organization_id = k.organization_id and newer.replaces_id = k.id
    and newer.revoked_at is null and (newer.expires_at is null or newer.expires_at > now()))`

const FAILING_MODELS = ({ organization, inProject }: Scope) => `
select json_agg(json_build_object('llmConfigId', m.llm_config_id, 'name', c.name, 'calls', m.calls, 'failed', m.failed,
    'lastError', m.last_error) order by m.failed desc, c.name)
from (
  select llm_config_id, count(*) as calls, count(*) filter (where ${HAS_FAILED}) as failed,
    (array_agg(error_code order by id desc) filter (where ${HAS_FAILED}))[1] as last_error
  from (
    select * from usage_records
    where organization_id = ${organization}::uuid and created_at >= now() - interval '1 hour' and purpose <> 'test'
      ${inProject('project_id')}
    order by created_at desc, id desc limit ${MOST_CALLS}
  ) calls
  group by llm_config_id
) m join llm_configurations c on c.id = m.llm_config_id and c.organization_id = ${organization}::uuid
where m.failed >= 3 and m.failed * 2 >= m.calls`

/** Number of first and of last workflow runs to check for one that was not started by a schedule. */
const LOOKED_AT_RUNS = 1_000

const workflowRuns = (organization: string, order: 'asc' | 'desc') =>
  `exists (select from (select source from workflow_runs where kind = 'run' and organization_id = ${organization}::uuid
      order by created_at ${order} limit ${LOOKED_AT_RUNS}) runs where source <> 'schedule')`

/** The workflows of a new organization have schedules, whose runs were not started by a person. */
const STEPS = ({ organization }: Scope) => `
select json_build_object(
  'llmConfiguration', exists (select from llm_configurations where organization_id = ${organization}::uuid and provider_id <> 'sandbox'),
  'agent', exists (select from agents where organization_id = ${organization}::uuid),
  'apiKey', exists (select from api_keys where organization_id = ${organization}::uuid and revoked_at is null),
  'run', exists (select from runs where organization_id = ${organization}::uuid and kind in ('agent', 'team')
      and parent_run_id is null and workflow_run_id is null)
    or ${workflowRuns(organization, 'asc')} or ${workflowRuns(organization, 'desc')},
  'colleague', (select count(*) > 1 from members where organization_id = ${organization}::uuid))`

const AGENT_TO_TALK_TO = ({ organization }: Scope) => `
select id from agents where organization_id = ${organization}::uuid and status = 'active' order by created_at desc, id desc limit 1`

const IN_FLIGHT = ({ organization, inProject }: Scope) => `
select (select count(*) from runs where organization_id = ${organization}::uuid and kind in ('agent', 'team')
    and parent_run_id is null and workflow_run_id is null and status <> 'completed' and status in ('queued', 'running')
    ${inProject('project_id')})
  + (select count(*) from workflow_runs where kind = 'run' and organization_id = ${organization}::uuid
    and status in ('queued', 'running', 'paused', 'awaiting_approval') ${inProject('project_id')})`

const attentionIn = (scope: Scope) => `
select coalesce((${FAILURES(scope)}), '[]'::json) as failures,
  coalesce((${SCHEDULES(scope)}), '[]'::json) as schedules,
  coalesce((${EXPIRING_KEYS(scope)}), '[]'::json) as "expiringKeys",
  coalesce((${FAILING_MODELS(scope)}), '[]'::json) as "failingModels",
  (${STEPS(scope)}) as steps, (${AGENT_TO_TALK_TO(scope)}) as "agentToTalkTo", (${IN_FLIGHT(scope)}) as "inFlight"`

const ATTENTION = {
  failures: json<Attention['failures']>(),
  schedules: json<Attention['schedules']>(),
  expiringKeys: json<Attention['expiringKeys']>(),
  failingModels: json<Attention['failingModels']>(),
  steps: json<Attention['steps']>(),
  agentToTalkTo: nullable(uuid<NonNullable<Attention['agentToTalkTo']>>()),
  inFlight: number(),
}

const OF_ALL = statement<'organizationId'>('attention', (p) =>
  attentionIn({ organization: p.organizationId, inProject: () => '' }),
).returning(ATTENTION)
const OF_PROJECT = statement<'organizationId' | 'projectId'>('attention_of_project', (p) =>
  attentionIn({
    organization: p.organizationId,
    inProject: (column) => `and ${column} = ${p.projectId}::uuid`,
  }),
).returning(ATTENTION)

export function attention(client: SqlClient): Observation['attention'] {
  return async (organizationId, projectId) => {
    const asked = projectId === null ? OF_ALL({ organizationId }) : OF_PROJECT({ organizationId, projectId })
    const [row] = await client.query(...asked)
    if (!row) throw new Error('a statement without FROM returned no row')
    return row
  }
}
