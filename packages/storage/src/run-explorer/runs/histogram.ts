import type { SqlClient } from '../../sql/client/sql-client.ts'
import type { Observation } from '../port/observation.ts'
import type { RunHistogram } from '../port/run-list.ts'
import { branchesOf, scan } from './branches.ts'
import { FAILED_LIST } from './cause.ts'
import { StatementValues } from './statement-values.ts'
import { millis } from './summary.ts'

const MOST_COUNTED = 50_000

export function runHistogram(client: SqlClient): Observation['histogram'] {
  return async (organizationId, filter, bucketMs) => {
    const values = new StatementValues()
    const branches = branchesOf(values, { organizationId, filter, after: null })
    if (branches.length === 0) return { buckets: [], countedFrom: null }
    const from = `${values.add(filter.from)}::bigint`
    const width = `${values.add(bucketMs)}::bigint`
    const text = `
with seen as (
  select ${millis('created_at')} as at, status, matches
  from (${branches.map((branch) => scan(branch, MOST_COUNTED)).join('\nunion all\n')}) merged
  order by created_at desc, id desc limit ${MOST_COUNTED}
), buckets as (
  select ${from} + (at - ${from}) / ${width} * ${width} as at,
    count(*) filter (where status = 'completed') as completed,
    count(*) filter (where status in (${FAILED_LIST})) as failed,
    count(*) filter (where status = 'cancelled') as other,
    count(*) filter (where status in ('queued', 'running', 'paused', 'awaiting_approval')) as in_flight
  from seen where matches group by 1
)
select (select json_agg(json_build_object('at', at, 'completed', completed, 'failed', failed, 'other', other,
    'inFlight', in_flight) order by at) from buckets),
  (select case when count(*) = ${MOST_COUNTED} then min(at) end from seen)`
    const [[buckets, countedFrom] = []] = await client.execute(text, values.list)
    return {
      buckets: (buckets ?? []) as RunHistogram['buckets'],
      countedFrom: typeof countedFrom === 'number' ? countedFrom : null,
    }
  }
}
