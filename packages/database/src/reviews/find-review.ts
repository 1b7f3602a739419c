import type { OrganizationId } from '@troupe/contract'
import type { ReviewStore, ReviewVote } from '@troupe/workflows/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { RUN_IN_SCOPE, scopedValues } from '../workflows/run-rows.ts'
import { REVIEW_COLUMNS, type ReviewRow } from './review-rows.ts'

/** The reviews that a caller sees; $1 and $2 are the scope. */
const IN_SCOPE = 'r.organization_id = $1::uuid and ($2::uuid is null or r.project_id = $2::uuid)'

const FIND_REVIEW = {
  name: 'find_review',
  text: `select ${REVIEW_COLUMNS} from reviews r where ${IN_SCOPE} and r.id = $3::uuid`,
}

const FILTERED = `${IN_SCOPE} and ($3::text is null or r.status = $3) and ($4::uuid is null or r.workflow_id = $4::uuid)`

/** The page is cut by keys alone, so that only its own texts are read. */
const PAGE_REVIEWS = {
  name: 'page_reviews',
  text: `
with page as (
  select r.id from reviews r where ${FILTERED} order by r.created_at desc, r.id desc limit $5::int offset $6::bigint
)
select ${REVIEW_COLUMNS} from page join reviews r on r.id = page.id order by r.created_at desc, r.id desc`,
}

const COUNT_REVIEWS = {
  name: 'count_reviews',
  text: `select count(*) as total from reviews r where ${FILTERED}`,
}

const COUNT_OF_RUN = {
  name: 'count_reviews_of_run',
  text: `select (select count(*) from reviews where run_id = workflow_runs.id) as total from workflow_runs where ${RUN_IN_SCOPE}`,
}

const REVIEWS_OF_RUN = {
  name: 'reviews_of_run',
  text: `
select ${REVIEW_COLUMNS} from reviews r where r.run_id = $1::uuid
order by r.created_at, r.id limit $2::int offset $3::bigint`,
}

const FIND_LINK = {
  name: 'find_review_link',
  text: 'select organization_id as "organizationId", token_hash as hash from reviews where id = $1::uuid',
}

const FIND_VOTE = {
  name: 'find_review_vote',
  text: 'select decision from review_votes where review_id = $1::uuid and actor = $2',
}

export function findReview(client: SqlClient): ReviewStore['find'] {
  return async ({ organizationId, projectId }, reviewId) => {
    const [row] = await client.query<ReviewRow>(FIND_REVIEW, [organizationId, projectId, reviewId])
    return row ?? null
  }
}

export function pageReviews(client: SqlClient): ReviewStore['page'] {
  return async ({ organizationId, projectId }, { status, workflowId, page, limit }) => {
    const filter = [organizationId, projectId, status, workflowId]
    const rows = await client.query<ReviewRow>(PAGE_REVIEWS, [...filter, limit, (page - 1) * limit])
    const [counted] = await client.query<{ total: number }>(COUNT_REVIEWS, filter)
    return { rows, total: counted?.total ?? 0 }
  }
}

export function reviewsOfRun(client: SqlClient): ReviewStore['ofRun'] {
  return async (scope, runId, { page, limit }) => {
    const [run] = await client.query<{ total: number }>(COUNT_OF_RUN, scopedValues(scope, runId))
    if (!run) return null
    const rows = await client.query<ReviewRow>(REVIEWS_OF_RUN, [runId, limit, (page - 1) * limit])
    return { rows, total: run.total }
  }
}

export function voteOf(client: SqlClient): ReviewStore['voteOf'] {
  return async (reviewId, voter) => {
    const [row] = await client.query<Pick<ReviewVote, 'decision'>>(FIND_VOTE, [reviewId, voter])
    return row?.decision ?? null
  }
}

export function reviewLink(client: SqlClient): ReviewStore['link'] {
  return async (reviewId) => {
    const [row] = await client.query<{ organizationId: OrganizationId; hash: string | null }>(FIND_LINK, [
      reviewId,
    ])
    return row ?? null
  }
}
