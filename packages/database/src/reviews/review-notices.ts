import { type SqlClient, statement } from '@troupe/sql'
import type { DueNotice, ReviewStore } from '@troupe/workflows/ports'

/** Reviews per call; each may be several messages. */
const BATCH = 20

/**
 * Taking a notification postpones its next attempt: no other process sends it meanwhile, and it is sent again
 * if the sender dies. Reviews that are no longer open are not notified.
 */
const TAKE_DUE = {
  name: 'take_due_review_notices',
  text: `
update reviews r set notify_due_at = now() + make_interval(secs => $1::float8), notify_attempts = notify_attempts + 1
where r.id in (
  select id from reviews where notify_due_at <= now() and status = 'open'
  order by notify_due_at limit ${BATCH} for update skip locked
)
returning r.id as "reviewId", r.organization_id as "organizationId", r.workflow_id as "workflowId", r.run_id as "runId",
  coalesce((select name from workflows where id = r.workflow_id), '') as "workflowName", r.title,
  (extract(epoch from r.expires_at) * 1000)::bigint as "expiresAt", r.token_sealed as "sealedLink", r.notify,
  r.notify_attempts as attempt`,
}

/** A review that was decided meanwhile has already dropped its notifications. */
const NOTICED = statement<'reviewId' | 'notify' | 'retrySeconds'>(
  'review_noticed',
  (p) => `
update reviews set notify = coalesce(${p.notify}::json, notify), notify_due_at = now() + make_interval(secs => ${p.retrySeconds}::float8),
  token_sealed = case when ${p.retrySeconds}::float8 is not null then token_sealed end
where id = ${p.reviewId}::uuid and notify_due_at is not null
returning id`,
)

export function takeDueNotices(client: SqlClient): ReviewStore['takeDueNotices'] {
  return (leaseSeconds) => client.query<DueNotice>(TAKE_DUE, [leaseSeconds])
}

export function noticed(client: SqlClient): ReviewStore['noticed'] {
  return async (reviewId, left) => {
    const noted = await client.query(
      ...NOTICED({
        reviewId,
        notify: left ? JSON.stringify(left.notify) : null,
        retrySeconds: left?.retrySeconds ?? null,
      }),
    )
    return noted.length > 0
  }
}
