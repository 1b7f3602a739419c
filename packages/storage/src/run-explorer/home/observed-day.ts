import { boolean, json, nullable, number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import type { Observation } from '../port/observation.ts'
import type { ObservedDay } from '../port/observed-day.ts'
import { FAILED_LIST } from '../runs/cause.ts'
import { millis } from '../runs/summary.ts'

/** Maximum runs of each kind, and model calls, to count: a busy day must not make the page slow. */
const MOST_RUNS = 10_000
const MOST_CALLS = 50_000

const SINCE = `now() - interval '24 hours'`

/** The ended root runs of a kind, by the index of its newest; `inProject` is a condition on `project_id`. */
const agentRuns = (kind: 'agent' | 'team', organization: string, inProject: string) => `
  (select status, started_at, completed_at from runs
   where organization_id = ${organization}::uuid and kind = '${kind}' and parent_run_id is null and workflow_run_id is null
     and created_at >= ${SINCE} and not is_test ${inProject}
   order by created_at desc, id desc limit ${MOST_RUNS})`

const dayIn = (organization: string, inProject: string) => `
with runs_of_day as (
  ${agentRuns('agent', organization, inProject)}
  union all ${agentRuns('team', organization, inProject)}
  union all
  (select status, started_at, completed_at from workflow_runs
   where organization_id = ${organization}::uuid and created_at >= ${SINCE} and kind = 'run' ${inProject}
   order by created_at desc, id desc limit ${MOST_RUNS})
), calls as (
  select created_at, cost_micros from usage_records
  where organization_id = ${organization}::uuid and created_at >= ${SINCE} and purpose <> 'test' ${inProject}
  order by created_at desc, id desc limit ${MOST_CALLS}
), hours as (
  select date_trunc('hour', at) as at, sum(runs) as runs, sum(failed) as failed, sum(cost) as cost from (
    select completed_at as at, 1 as runs, case when status in (${FAILED_LIST}) then 1 else 0 end as failed, 0 as cost
    from runs_of_day where completed_at is not null
    union all
    select created_at, 0, 0, coalesce(cost_micros, 0) from calls
  ) ended group by 1
)
select coalesce((select json_agg(json_build_object('at', ${millis('at')}, 'runs', runs, 'failed', failed, 'costMicros', cost)
    order by at) from hours), '[]'::json) as hours,
  (select percentile_disc(0.95) within group (order by ${millis('completed_at')} - ${millis('started_at')})
    from runs_of_day where status = 'completed' and started_at is not null) as "p95Ms",
  (select count(*) from runs_of_day) >= ${MOST_RUNS} or (select count(*) from calls) >= ${MOST_CALLS} as "isCut"`

const DAY = {
  hours: json<ObservedDay['hours']>(),
  p95Ms: nullable(number()),
  isCut: boolean(),
}

const OF_ALL = statement<'organizationId'>('day_of_runs', (p) => dayIn(p.organizationId, '')).returning(DAY)
const OF_PROJECT = statement<'organizationId' | 'projectId'>('day_of_runs_of_project', (p) =>
  dayIn(p.organizationId, `and project_id = ${p.projectId}::uuid`),
).returning(DAY)

export function observedDay(client: SqlClient): Observation['day'] {
  return async (organizationId, projectId) => {
    const asked = projectId === null ? OF_ALL({ organizationId }) : OF_PROJECT({ organizationId, projectId })
    const [row] = await client.query(...asked)
    if (!row) throw new Error('a statement without FROM returned no row')
    return row
  }
}
