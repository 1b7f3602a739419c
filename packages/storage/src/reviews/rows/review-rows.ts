import type {
  OrganizationId,
  ProjectId,
  ReviewActor,
  ReviewId,
  WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import type { EditableField, NewReview, Reviewers, ReviewRecord, ReviewStatus } from '@troupe/workflows/ports'
import { boolean, json, nullable, number, text, uuid } from '../../sql/client/columns.ts'
import { storableJson } from '../../sql/client/storable.ts'

/** Seconds for which a review of a test is open. */
const TEST_REVIEW_SECONDS = 24 * 60 * 60

/**
 * Opens the reviews of a commit. `run` is a preceding query whose row (id, organization_id, project_id, workflow_id,
 * kind, started_by_user_id, ended) proves that the sender holds the fence. Each activation has one review: a worker
 * that takes over sends none for a node that is already waiting, and the unique constraint keeps the first row.
 *
 * The review of a test is assigned only to the person who runs the test, who may decide it alone. It ends after a day,
 * without notifications.
 */
export function OPEN_REVIEWS(run: string, parameter: string): string {
  return `
opened as (
  insert into reviews (id, organization_id, project_id, workflow_id, run_id, node_id, path, status, title, instructions,
    shown, fields, reviewers, approvals_required, require_reject_comment, allow_self_approval, allow_api_keys, notify,
    token_hash, token_sealed, notify_due_at, is_test, created_at, expires_at, decided_at)
  select g.id, r.organization_id, r.project_id, r.workflow_id, r.id, g.node_id, g.path,
    case when r.ended then 'withdrawn' else 'open' end, g.title, g.instructions, g.shown, g.fields,
    case when t.is_test then json_build_object('kind', 'users', 'roles', '[]'::json,
      'userIds', array_to_json(array_remove(array[r.started_by_user_id], null))) else g.reviewers end,
    case when t.is_test then 1 else g.approvals_required end, g.require_reject_comment, g.allow_self_approval or t.is_test,
    g.allow_api_keys and not t.is_test, case when t.is_test then '{"emails": [], "webhookUrl": null}'::json else g.notify end,
    case when not t.is_test then g.token_hash end,
    case when t.is_told then g.token_sealed end, case when t.is_told then now() end, t.is_test, now(),
    now() + make_interval(secs => case when t.is_test then least(g.timeout_seconds, ${TEST_REVIEW_SECONDS}) else g.timeout_seconds end),
    case when r.ended then now() end
  from ${run} r cross join lateral (     select * from json_to_recordset(${parameter}::json) as g (id uuid, node_id text, path text, title text,
      instructions text, shown json, fields json, reviewers json, approvals_required int, require_reject_comment boolean,
      allow_self_approval boolean, allow_api_keys boolean, notify json, is_told boolean, token_hash text, token_sealed text,
      timeout_seconds float8)
  ) g cross join lateral (
    select r.kind = 'test' as is_test, g.is_told and not r.ended and r.kind <> 'test' as is_told
  ) t
  on conflict (run_id, path, node_id) do nothing
)`
}

/**
 * Withdraws the open reviews of ended runs. `ended` is a preceding query with the ids of runs that this
 * statement has ended and therefore locked: a decision also locks the run first, so it either precedes the
 * end or finds the review withdrawn.
 */
export function WITHDRAW_REVIEWS(ended: string): string {
  return `
withdrawn as (
  update reviews set status = 'withdrawn', decided_at = now(), token_sealed = null, notify_due_at = null
  from (select id as ended_run_id from ${ended}) ended_runs
  where reviews.run_id = ended_runs.ended_run_id and reviews.status = 'open'
)`
}

/**
 * Erases the values shown by reviews and the data decided with them, for the runs in `erased` (a preceding query with
 * their ids), including in the audit log. The fact of the review, the reviewer and the comment are kept as long as the run.
 */
export function ERASE_REVIEWS(erased: string): string {
  return `
review_texts as (
  update reviews set instructions = '', shown = '[]', fields = '[]', decision = case when decision is not null
    then json_build_object('by', decision->'by', 'comment', decision->'comment', 'data', json_build_object()) end
  from ${erased} where reviews.run_id = ${erased}.id
), votes as (
  update review_votes set data = '{}', found = '{}' from reviews, ${erased}
  where review_votes.review_id = reviews.id and reviews.run_id = ${erased}.id
), audited as (
  update audit_log a set before = null, after = (select json_object_agg(key, value) from json_each(a.after) where key <> 'data')
  from reviews, ${erased}
  where reviews.run_id = ${erased}.id and a.organization_id = reviews.organization_id and a.entity_kind = 'review'
    and a.entity_id = reviews.id::text and a.before is not null
)`
}

/** New reviews as JSON for {@link OPEN_REVIEWS}. */
export function newReviewRows(reviews: readonly NewReview[]): string {
  return storableJson(
    reviews.map(({ reviewId, path, nodeId, request, link }) => ({
      id: reviewId,
      node_id: nodeId,
      path,
      title: request.title,
      instructions: request.instructions,
      shown: request.show,
      fields: request.fields,
      reviewers: request.reviewers,
      approvals_required: request.approvalsRequired,
      require_reject_comment: request.requireRejectComment,
      allow_self_approval: request.allowSelfApproval,
      allow_api_keys: request.allowApiKeys,
      notify: request.notify,
      is_told: request.notify.emails.length > 0 || request.notify.webhookUrl !== null,
      token_hash: link.hash,
      token_sealed: link.sealed,
      timeout_seconds: request.timeoutSeconds,
    })),
  )
}

// Assignments read the old column values; in RETURNING, after the update, this condition yields the same
// value.
const isDue = `(lease_until is null and status <> 'paused')`

/**
 * Applies a decided review to its run, which its transaction has locked. A worker that owns the run sees the
 * `wake` mark; if its lease has expired, the worker that takes over reads the answer. Otherwise the run
 * becomes due with a new slice, which invalidates any delivery under way. A paused run acts on the answer
 * once it is resumed.
 */
export const CONTINUE_RUN = `waits_for = null, wake = wake or lease_until is not null,
  status = case when status = 'paused' then status else 'running' end,
  slice = slice + ${isDue}::int, dispatch_due_at = case when ${isDue} then now() else dispatch_due_at end`

/** The delivery column of a run that {@link CONTINUE_RUN} has changed; null when no delivery is due. */
export const CONTINUED_DELIVERY = `case when ${isDue}
  then json_build_object('lane', 'workflows', 'runId', workflow_runs.id, 'slice', slice) end as delivery`

/** A condition on the review `r`: a review of a test is visible only to the person who runs it (a UUID or null). */
export function VISIBLE_TO(tester: string): string {
  return `(not r.is_test or coalesce(r.reviewers->'userIds'->>0 = ${tester}::text, false))`
}

const millis = (column: string) => `(extract(epoch from r.${column}) * 1000)::bigint`

/** The columns of a {@link ReviewRecord} over the review `r`. */
export const REVIEW_COLUMNS = `r.id as "reviewId", r.organization_id as "organizationId", r.project_id as "projectId",
  r.run_id as "runId", r.workflow_id as "workflowId",
  coalesce((select name from workflows where id = r.workflow_id), '') as "workflowName",
  r.node_id as "nodeId", r.path, r.status, r.title, r.instructions, r.shown, r.fields, r.reviewers,
  (select count(*) from review_votes v where v.review_id = r.id and v.decision = 'approve') as approvals,
  r.approvals_required as "approvalsRequired", r.require_reject_comment as "requireRejectComment",
  r.allow_self_approval as "allowSelfApproval", r.allow_api_keys as "allowApiKeys",
  ${millis('created_at')} as "createdAt", ${millis('expires_at')} as "expiresAt", ${millis('decided_at')} as "decidedAt",
  r.decision, r.is_test as "isTest"`

/** {@link REVIEW_COLUMNS} as a row. */
export const REVIEW_ROW = {
  reviewId: uuid<ReviewId>(),
  organizationId: uuid<OrganizationId>(),
  projectId: nullable(uuid<ProjectId>()),
  runId: uuid<WorkflowRunId>(),
  workflowId: uuid<WorkflowId>(),
  workflowName: text(),
  nodeId: text(),
  path: text(),
  status: text<ReviewStatus>(),
  title: text(),
  instructions: text(),
  shown: json<{ label: string; value: unknown }[]>(),
  fields: json<EditableField[]>(),
  reviewers: json<Reviewers>(),
  approvals: number(),
  approvalsRequired: number(),
  requireRejectComment: boolean(),
  allowSelfApproval: boolean(),
  allowApiKeys: boolean(),
  createdAt: number(),
  expiresAt: nullable(number()),
  decidedAt: nullable(number()),
  decision: nullable(json<{ by: ReviewActor; comment: string | null; data: Record<string, unknown> }>()),
  isTest: boolean(),
}
