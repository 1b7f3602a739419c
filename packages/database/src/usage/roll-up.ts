import { typedKeys } from '@troupe/contract'
import type { SqlClient } from '@troupe/sql'
import { LEDGER_KEYS, LEDGER_SUMS } from './ledger-keys.ts'
import type { UsageStore } from './port.ts'

const FIRST = {
  name: 'begin_usage_rollup',
  text: `
insert into usage_rollup (is_only, rolled_until)
select true, coalesce((select min(created_at) from usage_records), now() - interval '5 minutes')
where not exists (select from usage_rollup)
on conflict do nothing`,
}

/** Ledger rows older than this are final: transactions that write them are shorter. */
const SETTLED = `date_trunc('milliseconds', now() - interval '5 minutes')`

const KEYS = typedKeys(LEDGER_KEYS)
  // Totals have the day in a column.
  .map((dimension) => `('${dimension}', ${dimension === 'day' ? 'null' : LEDGER_KEYS[dimension]})`)
  .join(', ')

/**
 * Adds the next stretch of settled rows, at most up to the next midnight (UTC), and moves the watermark past it in the
 * same statement. Of two concurrent calls the second waits for the watermark's row and continues from the moved one; all
 * rows after it were committed before its snapshot. A run counts once for each key, on the day of its first call.
 */
const ROLL_UP = {
  name: 'roll_up_usage',
  text: `
with span as materialized (
  select rolled_until as began, least(${SETTLED},
    (date_trunc('day', rolled_until at time zone 'UTC') + interval '1 day') at time zone 'UTC') as ended
  from usage_rollup where rolled_until < ${SETTLED} for update
), calls as materialized (
  select u.* from span, organizations o cross join lateral (
    select * from usage_records u
    where u.organization_id = o.id and u.created_at >= span.began and u.created_at < span.ended
  ) u
), older as materialized (
  select distinct e.run_id, e.agent_id::text as agent, e.model_id as model from span, calls c
  join usage_records e on e.run_id = c.run_id
  where e.created_at < span.began and e.purpose <> 'embedding'
), by_run as (
  select u.organization_id, u.project_id, d.dimension, d.key, u.run_id, bool_or(u.purpose <> 'embedding') as is_run,
    ${LEDGER_SUMS}
  from calls u cross join lateral (values ${KEYS}) d (dimension, key)
  group by u.organization_id, u.project_id, d.dimension, d.key, u.run_id
), added as (
  insert into usage_totals as held (organization_id, project_id, dimension, day, key, runs, model_calls, input_tokens,
    cached_tokens, output_tokens, cost_micros)
  select b.organization_id, b.project_id, b.dimension, (span.began at time zone 'UTC')::date, b.key,
    count(*) filter (where b.is_run and not exists (
      select from older o where o.run_id = b.run_id and case b.dimension
        when 'agent' then o.agent is not distinct from b.key when 'model' then o.model = b.key else true end)),
    sum(b.model_calls), sum(b.input_tokens), sum(b.cached_tokens), sum(b.output_tokens), sum(b.cost_micros)
  from span, by_run b
  group by b.organization_id, b.project_id, b.dimension, span.began, b.key
  on conflict on constraint usage_totals_identity do update set
    runs = held.runs + excluded.runs, model_calls = held.model_calls + excluded.model_calls,
    input_tokens = held.input_tokens + excluded.input_tokens,
    cached_tokens = held.cached_tokens + excluded.cached_tokens,
    output_tokens = held.output_tokens + excluded.output_tokens,
    cost_micros = case when held.cost_micros is null then excluded.cost_micros
      else held.cost_micros + coalesce(excluded.cost_micros, 0) end
), moved as (
  update usage_rollup set rolled_until = span.ended from span returning rolled_until
)
select rolled_until < ${SETTLED} as has_more from moved`,
}

export function rollUpUsage(client: SqlClient): UsageStore['rollUp'] {
  return async () => {
    await client.query(FIRST, [])
    for (;;) {
      const [moved] = await client.query<{ has_more: boolean }>(ROLL_UP, [])
      if (!moved?.has_more) return
    }
  }
}
