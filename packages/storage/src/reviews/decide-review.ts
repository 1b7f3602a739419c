import type { ApiKeyId, UserId } from '@troupe/contract'
import type { Delivery, Signal } from '@troupe/durable-work'
import {
  IN_FLIGHT_STATUSES,
  type LockedReview,
  type LockedVote,
  type ReviewDecisions,
  type ReviewScope,
  type WorkflowRunStatus,
} from '@troupe/workflows/ports'
import { boolean, json, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable, storableText } from '../sql/client/storable.ts'
import {
  CONTINUE_RUN,
  CONTINUED_DELIVERY,
  REVIEW_COLUMNS,
  REVIEW_ROW,
  VISIBLE_TO,
} from './rows/review-rows.ts'

/**
 * Every path locks runs before their reviews (commits, cancels and sweeps lock the run that they change),
 * which rules out deadlocks.
 */
const LOCK_RUN = statement<keyof ReviewScope | 'reviewId'>(
  'lock_run_of_review',
  (p) => `
select status, api_key_id, started_by_user_id from workflow_runs
where id = (select r.run_id from reviews r where r.id = ${p.reviewId}::uuid and ${VISIBLE_TO(p.testerId)} and r.organization_id = ${p.organizationId}::uuid
  and (${p.projectId}::uuid is null or r.project_id = ${p.projectId}::uuid))
for update`,
).returning({
  status: text<WorkflowRunStatus>(),
  api_key_id: nullable(uuid<ApiKeyId>()),
  started_by_user_id: nullable(uuid<UserId>()),
})

/** A separate statement after the lock, so that its snapshot includes decisions committed during the wait. */
const READ_LOCKED = statement<'reviewId'>(
  'read_locked_review',
  (p) => `
select ${REVIEW_COLUMNS}, coalesce(r.expires_at <= now(), false) as "isExpired",
  (select json_object_agg(v.actor, json_build_object('name', v.actor_name, 'decision', v.decision, 'comment', v.comment,
    'data', v.data, 'at', (extract(epoch from v.created_at) * 1000)::bigint)) from review_votes v where v.review_id = r.id) as votes
from reviews r where r.id = ${p.reviewId}::uuid`,
).returning({
  ...REVIEW_ROW,
  isExpired: boolean(),
  votes: nullable(json<Record<string, LockedVote>>()),
})

/**
 * `clock_timestamp()` is read under the run's lock, so votes are ordered as they were counted; `now()` precedes the
 * wait for it. Votes within one millisecond get consecutive ones: their times, stored in milliseconds, are their only
 * order.
 */
const VOTE = statement<
  'reviewId' | 'voter' | 'organizationId' | 'name' | 'decision' | 'comment' | 'data' | 'found'
>(
  'vote_on_review',
  (p) => `
insert into review_votes (review_id, actor, organization_id, actor_name, decision, comment, data, found, created_at)
values (${p.reviewId}::uuid, ${p.voter}, ${p.organizationId}::uuid, ${p.name}, ${p.decision}, ${p.comment},
  ${p.data}::json, ${p.found}::json, greatest(clock_timestamp(),
  (select max(created_at) + interval '1 millisecond' from review_votes where review_id = ${p.reviewId}::uuid)))
on conflict (review_id, actor) do update set actor_name = excluded.actor_name, decision = excluded.decision,
  comment = excluded.comment, data = excluded.data, found = excluded.found, created_at = excluded.created_at`,
)

const PROPOSE = statement<'reviewId' | 'fields'>(
  'propose_review_values',
  (p) => `update reviews set fields = ${p.fields}::json where id = ${p.reviewId}::uuid and status = 'open'`,
)

const SETTLE = statement<'reviewId' | 'status' | 'decision'>(
  'settle_review',
  (p) => `
with settled as (
  update reviews set status = ${p.status}, decision = ${p.decision}::json, decided_at = now(), token_sealed = null, notify_due_at = null
  where id = ${p.reviewId}::uuid and status = 'open'
  returning run_id, (extract(epoch from decided_at) * 1000)::bigint as "decidedAt"
)
update workflow_runs set ${CONTINUE_RUN}
from settled where workflow_runs.id = settled.run_id and workflow_runs.status in ('running', 'paused', 'awaiting_approval')
returning settled."decidedAt", lease_until is not null as "inHand", ${CONTINUED_DELIVERY}`,
).returning({ decidedAt: number(), inHand: boolean(), delivery: nullable(json<Delivery>()) })

/** Decisions within a transaction; `signal` notifies every process on commit. */
export function reviewDecisions(client: SqlClient, signal: (signal: Signal) => void): ReviewDecisions {
  return {
    async lock({ organizationId, projectId, testerId = null }, reviewId): Promise<LockedReview | null> {
      const [run] = await client.query(...LOCK_RUN({ reviewId, organizationId, projectId, testerId }))
      if (!run) return null
      const [row] = await client.query(...READ_LOCKED({ reviewId }))
      if (!row) return null
      return {
        ...row,
        isRunActive: IN_FLIGHT_STATUSES.some((status) => status === run.status),
        startedBy: { apiKeyId: run.api_key_id, userId: run.started_by_user_id },
        votes: new Map(Object.entries(row.votes ?? {})),
      }
    },
    async vote({ name, comment, data, found, ...vote }) {
      await client.query(
        ...VOTE({
          ...vote,
          name: storableText(name),
          comment: storableNullable(comment),
          data: storableJson(data),
          found: storableJson(found),
        }),
      )
    },
    async propose(reviewId, fields) {
      await client.query(...PROPOSE({ reviewId, fields: storableJson(fields) }))
    },
    async settle({ reviewId, runId, status, decision }) {
      const value = decision === null ? null : storableJson(decision)
      const [settled] = await client.query(...SETTLE({ reviewId, status, decision: value }))
      if (!settled) return null
      if (settled.inHand) signal({ kind: 'review_decided', runId })
      return { decidedAt: settled.decidedAt, delivery: settled.delivery }
    },
  }
}
