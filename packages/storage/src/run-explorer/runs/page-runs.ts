import { AnyRunId, checkedId } from '@troupe/contract'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import type { Observation } from '../port/observation.ts'
import type { RunOverview } from '../port/run-list.ts'
import { branchesOf, scan } from './branches.ts'
import { StatementValues } from './statement-values.ts'
import { SUMMARIES } from './summary.ts'

/** Maximum runs that a page examines if no index covers the whole filter. */
export const WINDOW = 5_000

/**
 * The text depends on the filters, so that each call is planned with its values: one generic text could not use the
 * right index.
 */
export function pageRuns(client: SqlClient): Observation['runs'] {
  return async (organizationId, filter, { after, limit }) => {
    const values = new StatementValues()
    const branches = branchesOf(values, { organizationId, filter, after })
    if (branches.length === 0) return { rows: [], next: null }
    const examined = branches.some(({ filters }) => filters.length > 0) ? WINDOW : limit + 1
    const wanted = values.add(limit + 1)
    const text = `
with seen as (
  select * from (${branches.map((branch) => scan(branch, examined)).join('\nunion all\n')}) merged
  order by created_at desc, id desc limit ${examined}
), page as (
  select * from seen where matches order by created_at desc, id desc limit ${wanted}::int
), place as (
  select id, created_at from seen order by created_at, id limit 1
)
select (select count(*) from seen), (select id from place),
  (select (extract(epoch from created_at) * 1000)::bigint from place),
  (select json_agg(d.run order by page.created_at desc, page.id desc) from page ${SUMMARIES('page')})`
    const [row = []] = await client.execute(text, values.list)
    return pageOf(row, { examined, limit })
  }
}

function pageOf(
  [seen, lastId, lastCreatedAt, found]: unknown[],
  { examined, limit }: { examined: number; limit: number },
) {
  const runs = (found ?? []) as RunOverview[]
  const rows = runs.slice(0, limit)
  const last = rows.at(-1)
  if (runs.length > limit && last) return { rows, next: { createdAt: last.createdAt, runId: last.runId } }
  const isCut = seen === examined && examined === WINDOW
  return {
    rows,
    next: isCut ? { createdAt: Number(lastCreatedAt), runId: checkedId(AnyRunId, String(lastId)) } : null,
  }
}
