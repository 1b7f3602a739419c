import type { SqlClient } from '../../sql/client/sql-client.ts'
import type { Observation } from '../port/observation.ts'
import type { FailureCause } from '../port/run-list.ts'
import { branchesOf, scan } from './branches.ts'
import { agentCause, entityName, FAILED_STATUSES, workflowCause } from './cause.ts'
import { WINDOW } from './page-runs.ts'
import { StatementValues } from './statement-values.ts'
import { millis } from './summary.ts'

/** Maximum newest failures to group: a burst of them must not make the page slow. */
const MOST_FAILURES = 1_000
const MOST_CAUSES = 20

/** The text depends on the filters, like that of `pageRuns`. Errors are read only for the grouped failures. */
export function failureCauses(client: SqlClient): Observation['failureCauses'] {
  return async (organizationId, given) => {
    const statuses = given.statuses ?? FAILED_STATUSES
    const filter = { ...given, statuses: FAILED_STATUSES.filter((status) => statuses.includes(status)) }
    const values = new StatementValues()
    const branches = branchesOf(values, { organizationId, filter, after: null })
    if (branches.length === 0) return { causes: [], grouped: 0, isCut: false }
    const examined = branches.some(({ filters }) => filters.length > 0) ? WINDOW : MOST_FAILURES + 1
    const organization = `${values.add(organizationId)}::uuid`
    const text = `
with seen as (
  select * from (${branches.map((branch) => scan(branch, examined)).join('\nunion all\n')}) merged
  order by created_at desc, id desc limit ${examined}
), found as (
  select * from seen where matches order by created_at desc, id desc limit ${MOST_FAILURES + 1}
), failures as (
  select f.id, f.kind, f.created_at, d.entity_id, d.code, d.cause
  from (select * from found order by created_at desc, id desc limit ${MOST_FAILURES}) f
  cross join lateral (
    select r.entity_id, r.error_code as code, ${agentCause('r')} as cause from runs r where r.id = f.id and f.kind <> 'workflow'
    union all
    select w.workflow_id, null, ${workflowCause('w')} from workflow_runs w where w.id = f.id and f.kind = 'workflow'
  ) d
), causes as (
  select kind, entity_id, cause, count(*) as failures, max(created_at) as last_at,
    (array_agg(id order by created_at desc, id desc))[1] as last_run_id,
    (array_agg(code order by created_at desc, id desc))[1] as code
  from failures group by kind, entity_id, cause
  order by count(*) desc, max(created_at) desc limit ${MOST_CAUSES}
)
select (select count(*) from seen), (select count(*) from found),
  (select json_agg(json_build_object('kind', g.kind, 'entityId', g.entity_id, 'entityName', ${entityName('g', organization)},
    'code', g.code, 'cause', g.cause, 'count', g.failures, 'lastRunId', g.last_run_id, 'lastAt', ${millis('g.last_at')})
    order by g.failures desc, g.last_at desc) from causes g)`
    const [[seen, found, causes] = []] = await client.execute(text, values.list)
    return {
      causes: (causes ?? []) as FailureCause[],
      grouped: Math.min(Number(found ?? 0), MOST_FAILURES),
      isCut: Number(found) > MOST_FAILURES || Number(seen) >= WINDOW,
    }
  }
}
