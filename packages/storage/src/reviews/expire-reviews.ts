import type { Delivery } from '@troupe/durable-work'
import type { ReviewStore } from '@troupe/workflows/ports'
import { CHANNEL } from '../listen-notify/listeners.ts'
import { json, nullable, number } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { CONTINUE_RUN, CONTINUED_DELIVERY } from './rows/review-rows.ts'

/** Runs per statement. */
const BATCH = 100

/**
 * An expiry works like a decision: it locks the run first, then re-checks the review's current state. Against
 * a decision, a cancel or another sweep, the first to lock the run wins; a locked run is skipped until the
 * next sweep. Deadlines keep running while a run is paused.
 */
const EXPIRE_REVIEWS = statement(
  'expire_reviews',
  () => `
with due as (
  select id from workflow_runs
  where status in ('running', 'paused', 'awaiting_approval')
    and id in (select run_id from reviews where status = 'open' and expires_at <= now() order by expires_at limit ${BATCH})
  for update skip locked
), expired as (
  update reviews set status = 'timeout', decided_at = now(), token_sealed = null, notify_due_at = null
  where run_id in (select id from due) and status = 'open' and expires_at <= now()
  returning run_id
), continued as (
  update workflow_runs set ${CONTINUE_RUN}
  where id in (select run_id from expired)
  returning id, lease_until is not null as in_hand, ${CONTINUED_DELIVERY}
), told as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'review_decided', 'runId', id)::text)
  from continued where in_hand
)
select delivery, (select count(*) from told) as told from continued`,
).returning({ delivery: nullable(json<Delivery>()), told: number() })

export function expireReviews(client: SqlClient): ReviewStore['expire'] {
  return async () => {
    const deliveries: Delivery[] = []
    for (;;) {
      const rows = await client.query(...EXPIRE_REVIEWS({}))
      deliveries.push(...rows.flatMap(({ delivery }) => delivery ?? []))
      if (rows.length < BATCH) return deliveries
    }
  }
}
