import type { OrganizationId, ReviewId } from '@troupe/contract'
import type { ReviewScope, ReviewStore } from '@troupe/workflows/ports'
import { json, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type ParameterValues, type Placeholders, statement } from '../sql/client/statement.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { runInScope, type ScopedRunParameter, scopedRun } from '../workflow-runs/run-rows.ts'
import { REVIEW_COLUMNS, REVIEW_ROW, VISIBLE_TO } from './rows/review-rows.ts'

/** The parameters of {@link inScope}. */
type ScopeParameter = keyof ReviewScope

/** The reviews visible to a caller: those of tests only to the person who runs the test. */
const inScope = (p: Placeholders<ScopeParameter>) =>
  `${VISIBLE_TO(p.testerId)} and r.organization_id = ${p.organizationId}::uuid and (${p.projectId}::uuid is null or r.project_id = ${p.projectId}::uuid)`

const FIND_REVIEW = statement<ScopeParameter | 'reviewId'>(
  'find_review',
  (p) => `select ${REVIEW_COLUMNS} from reviews r where ${inScope(p)} and r.id = ${p.reviewId}::uuid`,
).returning(REVIEW_ROW)

/** Whether the review is assigned to the member: to any member, to one of its roles, or to the person. */
const asksMember = (
  p: Placeholders<'askedRole' | 'askedUserId'>,
) => `case r.reviewers->>'kind' when 'members' then true
    when 'roles' then ${p.askedRole} in (select json_array_elements_text(r.reviewers->'roles'))
    else ${p.askedUserId}::text in (select json_array_elements_text(r.reviewers->'userIds')) end`

/** Whether the proposed values differ from those for which the vote `v` on the review `r` was cast. */
const IS_CHANGED_SINCE = `exists (select 1 from json_array_elements(r.fields) f
      where (f->'value')::text is distinct from (v.data->(f->>'name'))::text)`

type FilterParameter =
  | ScopeParameter
  | 'status'
  | 'isDecided'
  | 'workflowId'
  | 'askedRole'
  | 'askedUserId'
  | 'unapprovedBy'

const filtered = (p: Placeholders<FilterParameter>) =>
  `${inScope(p)} and (${p.status}::text is null or r.status = ${p.status})
    and (${p.isDecided}::boolean is null or (r.status <> 'open') = ${p.isDecided}::boolean)
    and (${p.workflowId}::uuid is null or r.workflow_id = ${p.workflowId}::uuid)
    and (${p.askedRole}::text is null or ${asksMember(p)})
    and (${p.unapprovedBy}::text is null or r.status <> 'open' or not exists (select 1 from review_votes v
      where v.review_id = r.id and v.actor = ${p.unapprovedBy}::text and v.decision = 'approve'
        and not ${IS_CHANGED_SINCE}))`

/** The order of a list, and the condition for the rows after the one that `after` names. */
interface ReviewOrder {
  by: string
  follows(after: string, organization: string): string
}

const NEWEST: ReviewOrder = {
  by: 'r.created_at desc, r.id desc',
  follows: (after, organizationId) => `(r.created_at, r.id) < (
    select created_at, id from reviews where id = ${after}::uuid and organization_id = ${organizationId}::uuid)`,
}

const BY_DEADLINE: ReviewOrder = {
  by: `coalesce(r.expires_at, 'infinity'), r.created_at, r.id`,
  follows: (after, organizationId) => `(coalesce(r.expires_at, 'infinity'), r.created_at, r.id) > (
    select coalesce(expires_at, 'infinity'), created_at, id from reviews
    where id = ${after}::uuid and organization_id = ${organizationId}::uuid)`,
}

/** The page is selected by keys first, so that only the texts of that page are read. */
const pageInOrder = (name: string, { by, follows }: ReviewOrder) => ({
  first: statement<FilterParameter | 'limit' | 'offset'>(
    name,
    (p) => `
with page as (
  select r.id from reviews r where ${filtered(p)} order by ${by} limit ${p.limit}::int offset ${p.offset}::bigint
)
select ${REVIEW_COLUMNS} from page join reviews r on r.id = page.id order by ${by}`,
  ).returning(REVIEW_ROW),
  after: statement<FilterParameter | 'limit' | 'after'>(
    `${name}_after`,
    (p) => `
with page as (
  select r.id from reviews r where ${filtered(p)} and ${follows(p.after, p.organizationId)}
  order by ${by} limit ${p.limit}::int
)
select ${REVIEW_COLUMNS} from page join reviews r on r.id = page.id order by ${by}`,
  ).returning(REVIEW_ROW),
})

const PAGE_REVIEWS = pageInOrder('page_reviews', NEWEST)
const PAGE_REVIEWS_BY_DEADLINE = pageInOrder('page_reviews_by_deadline', BY_DEADLINE)

const COUNT_REVIEWS = statement<FilterParameter>(
  'count_reviews',
  (p) => `select count(*) as total from reviews r where ${filtered(p)}`,
).returning({ total: number() })

const COUNT_OF_RUN = statement<ScopedRunParameter>(
  'count_reviews_of_run',
  (p) =>
    `select (select count(*) from reviews where run_id = workflow_runs.id) as total from workflow_runs where ${runInScope(p)}`,
).returning({ total: number() })

const REVIEWS_OF_RUN = statement<'runId' | 'limit' | 'offset'>(
  'reviews_of_run',
  (p) => `
select ${REVIEW_COLUMNS} from reviews r where r.run_id = ${p.runId}::uuid
order by r.created_at, r.id limit ${p.limit}::int offset ${p.offset}::bigint`,
).returning(REVIEW_ROW)

const FIND_LINK = statement<'reviewId'>(
  'find_review_link',
  (p) =>
    `select organization_id as "organizationId", token_hash as hash from reviews where id = ${p.reviewId}::uuid`,
).returning({ organizationId: uuid<OrganizationId>(), hash: nullable(text()) })

const FIND_VOTE = statement<'reviewId' | 'voter'>(
  'find_review_vote',
  (p) => `select decision from review_votes where review_id = ${p.reviewId}::uuid and actor = ${p.voter}`,
).returning({ decision: text<'approve' | 'reject'>() })

const VOTES = statement<'reviewIds'>(
  'review_votes',
  (p) => `
select v.* from unnest(${p.reviewIds}::uuid[]) as asked(id), lateral (
  select review_id as "reviewId", actor as voter, actor_name as name, decision, comment, data, found,
    (extract(epoch from created_at) * 1000)::bigint as at
  from review_votes where review_id = asked.id order by created_at limit 100
) v order by v.at`,
).returning({
  reviewId: uuid<ReviewId>(),
  voter: text(),
  name: text(),
  decision: text<'approve' | 'reject'>(),
  comment: nullable(text()),
  data: json<Record<string, unknown>>(),
  found: json<Record<string, unknown>>(),
  at: number(),
})

const APPROVED_BY = statement<'voter' | 'reviewIds'>(
  'reviews_approved_by',
  (p) => `
select review_id as "reviewId" from review_votes
where review_id = any(${p.reviewIds}::uuid[]) and actor = ${p.voter} and decision = 'approve'`,
).returning({ reviewId: uuid<ReviewId>() })

function scopeValues({
  organizationId,
  projectId,
  testerId = null,
}: ReviewScope): ParameterValues<ScopeParameter> {
  return { organizationId, projectId, testerId }
}

export function findReview(client: SqlClient): ReviewStore['find'] {
  return async (scope, reviewId) => {
    const [row] = await client.query(...FIND_REVIEW({ ...scopeValues(scope), reviewId }))
    return row ?? null
  }
}

export function pageReviews(client: SqlClient): ReviewStore['page'] {
  return async (scope, filter) => {
    const { status, workflowId, limit, asks } = filter
    const asked = { askedRole: asks?.role ?? null, askedUserId: asks?.userId ?? null }
    const narrowed = { isDecided: filter.isDecided ?? null, unapprovedBy: filter.unapprovedBy ?? null }
    const values = { ...scopeValues(scope), status, workflowId, limit, ...narrowed, ...asked }
    const page = filter.order === 'deadline' ? PAGE_REVIEWS_BY_DEADLINE : PAGE_REVIEWS
    const count = () => client.query(...COUNT_REVIEWS(values))
    if (filter.after) {
      const rows = await client.query(...page.after({ ...values, after: filter.after }))
      const [counted] = await count()
      return { rows, total: counted?.total ?? 0 }
    }
    const rows = await client.query(...page.first({ ...values, offset: offsetOf(filter) }))
    return withTotal(filter, rows, count)
  }
}

export function reviewsOfRun(client: SqlClient): ReviewStore['ofRun'] {
  return async (scope, runId, page) => {
    const [run] = await client.query(...COUNT_OF_RUN(scopedRun(scope, runId)))
    if (!run) return null
    const rows = await client.query(...REVIEWS_OF_RUN({ runId, limit: page.limit, offset: offsetOf(page) }))
    return { rows, total: run.total }
  }
}

export function voteOf(client: SqlClient): ReviewStore['voteOf'] {
  return async (reviewId, voter) => {
    const [row] = await client.query(...FIND_VOTE({ reviewId, voter }))
    return row?.decision ?? null
  }
}

/** A `uuid[]` as PostgreSQL reads it. */
const uuids = (ids: readonly string[]) => `{${ids.join(',')}}`

export function votesOf(client: SqlClient): ReviewStore['votes'] {
  return async (reviewIds) => {
    const rows = await client.query(...VOTES({ reviewIds: uuids(reviewIds) }))
    const byReview = Map.groupBy(rows, ({ reviewId }) => reviewId)
    return new Map([...byReview].map(([id, votes]) => [id, votes.map(({ reviewId: _, ...vote }) => vote)]))
  }
}

export function approvedBy(client: SqlClient): ReviewStore['approvedBy'] {
  return async (voter, reviewIds) => {
    const rows = await client.query(...APPROVED_BY({ voter, reviewIds: uuids(reviewIds) }))
    return new Set(rows.map(({ reviewId }) => reviewId))
  }
}

export function reviewLink(client: SqlClient): ReviewStore['link'] {
  return async (reviewId) => {
    const [row] = await client.query(...FIND_LINK({ reviewId }))
    return row ?? null
  }
}
