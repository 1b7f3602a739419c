import {
  DomainError,
  type IdText,
  isJsonObject,
  OrganizationId,
  parseId,
  type ReviewDecisionBody,
  type ReviewId,
  WorkflowId,
} from '@troupe/contract'
import { html } from '@troupe/html'
import type { App } from '@troupe/http/server-types'
import { addressToName } from '@troupe/operations/approvals/asked-members'
import { decideReview } from '@troupe/operations/reviews/decide-review'
import { decidedFields } from '@troupe/operations/reviews/field-values'
import { COMMENT_REQUIRED, proposalChangedText } from '@troupe/operations/reviews/review-errors'
import { reviewerObstacle, voterOf } from '@troupe/operations/reviews/reviewer'
import type { People } from '@troupe/people/people'
import { type Guard, visitorOf } from '@troupe/rate-limits'
import { reviewsPath } from '@troupe/server-html/paths/builder-paths'
import { type FormBody, fieldText } from '@troupe/server-html/rendering/form-body'
import type { HtmlPage } from '@troupe/server-html/rendering/html-page'
import { BRAND } from '@troupe/server-html/rendering/mark'
import {
  approvalsShown,
  INBOX_STATUSES,
  type InboxSection,
  type InboxView,
  inboxPage,
  storedStatus,
} from '@troupe/server-html/reviews/inbox-page'
import { postedDecision } from '@troupe/server-html/reviews/posted-decision'
import { type ReviewView, reviewPage, verdictPage } from '@troupe/server-html/reviews/review-page'
import type { Database } from '@troupe/storage'
import type { ReviewRecord } from '@troupe/workflows/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admitToReview, type ReviewAdmission } from '../../access/review-access.ts'
import type { Workflows } from '../../wiring/create-workflows.ts'
import { errorPage } from '../rendering/error-page.ts'
import { registerPages } from '../rendering/register-pages.ts'
import { sendPage } from '../rendering/send-page.ts'
import { auditedDecider, pageAfterDecision, queryText, sendLinkedPage } from './decision-request.ts'
import { shownApproval } from './register-approval-pages.ts'

const INBOX_LIMIT = 20
/** One text for every link that leads nowhere. */
const LOST_LINK =
  'The link may be incomplete, or the review was deleted with its run. Open the link again from its message, or find the review in your inbox.'
const INBOX_PATH = '/reviews'
const REVIEW_PATH = '/reviews/:reviewId'

/** Dependencies of the review pages. */
export interface ReviewPages {
  database: Pick<Database, 'reviews' | 'approvals' | 'transaction' | 'read'>
  people: People
  guard: Pick<Guard, 'admit'>
  workflows: Pick<Workflows, 'send'>
}

interface ReviewRoute {
  Params: { reviewId: IdText<ReviewId> }
  Querystring: Record<string, string | string[] | undefined>
  Body: FormBody | undefined
}
type ReviewRequest = FastifyRequest<ReviewRoute>

/** This page handles filters without JavaScript, and is the only list of several organizations. */
export function registerReviewPages(app: App, pages: ReviewPages): void {
  registerPages(app, (scope) => {
    scope.get(INBOX_PATH, (request, reply) => showInbox(pages, request, reply))
    scope.get<ReviewRoute>(REVIEW_PATH, (request, reply) => showReview(pages, request, reply))
    scope.post<ReviewRoute>(REVIEW_PATH, (request, reply) => takeDecision(pages, request, reply))
  })
}

async function showInbox({ database, people }: ReviewPages, request: FastifyRequest, reply: FastifyReply) {
  const person = await people.signedIn(request.headers)
  if (!person) return reply.redirect(people.signInPath(request.url), 303)
  const [only, ...others] = person.memberships
  // Members of one organization are redirected to the builder, unless the link has a filter, which only this
  // page supports.
  if (only && others.length === 0 && isBare(request)) {
    const organization = await database.read.organizations.byId(only.organizationId)
    if (organization) return reply.redirect(reviewsPath(organization.slug), 303)
  }
  const given = queryText(request, 'status')
  const status = INBOX_STATUSES.find((known) => known === given) ?? 'open'
  const organizationId = parseId(OrganizationId, queryText(request, 'organizationId'))
  const workflowId = parseId(WorkflowId, queryText(request, 'workflowId'))
  const page = Math.min(Math.max(Number.parseInt(queryText(request, 'page'), 10) || 1, 1), 100_000)
  const limit = INBOX_LIMIT
  const wanted = person.memberships.filter(
    (one) => organizationId === null || one.organizationId === organizationId,
  )
  const sections = await Promise.all(
    wanted.map(async (membership) => {
      const id: OrganizationId = membership.organizationId
      const { role } = membership
      // A reviewer sees only reviews and approvals assigned to them.
      const asks = role === 'reviewer' ? { userId: person.userId, role } : null
      const filter = { status: storedStatus(status), workflowId, page, limit, asks }
      const found = await database.reviews.page({ organizationId: id, projectId: null }, filter)
      const ids = found.rows.map(({ reviewId }) => reviewId)
      const approved = await database.reviews.approvedBy(`user:${person.userId}`, ids)
      const address = addressToName({ role, email: person.email })
      const approvals = await approvalsOf(database, id, { status, workflowId, page, limit, asks: address })
      const organization = await database.read.organizations.byId(id)
      return { organizationId: id, name: organization?.name ?? '', ...found, approved, approvals }
    }),
  )
  return sendPage(
    reply,
    inboxPage({ person: person.name, sections, status, organizationId, workflowId, page, limit }),
  )
}

const isBare = ({ query }: FastifyRequest) => isJsonObject(query) && Object.keys(query).length === 0

/** The approvals assigned to the visitor, beside the reviews; none if the list is limited to one workflow. */
async function approvalsOf(
  { approvals }: Pick<Database, 'approvals'>,
  organizationId: OrganizationId,
  {
    status,
    workflowId,
    page,
    limit,
    asks,
  }: Pick<InboxView, 'status' | 'workflowId' | 'page' | 'limit'> & { asks: string | null },
): Promise<InboxSection['approvals']> {
  const shown = approvalsShown(status)
  if (shown === undefined || workflowId !== null) return { data: [], total: 0 }
  const { rows, total } = await approvals.page(
    { organizationId, projectId: null },
    { status: shown, page, limit, asks },
  )
  return { data: rows.map(shownApproval), total }
}

function refuse(
  { people }: ReviewPages,
  request: ReviewRequest,
  reply: FastifyReply,
  { kind }: Exclude<ReviewAdmission, { kind: 'admitted' }>,
  token: string,
) {
  const signIn = people.signInPath(`/reviews/${encodeURIComponent(request.params.reviewId)}`)
  switch (kind) {
    case 'sign_in_required':
      return reply.redirect(signIn, 303)
    case 'link_requires_sign_in':
      return sendLinkedPage(
        reply,
        {
          title: 'Sign in to decide this review',
          width: 'column',
          header: BRAND,
          main: html`<h1>Sign in to decide this review</h1>
<p>It is for certain reviewers. After you have signed in, you come back to it.</p>
<p class="way"><a class="button" href="${signIn}">Sign in</a></p>`,
        },
        token,
        401,
      )
    case 'not_found':
      return sendLinkedPage(reply, errorPage(404, LOST_LINK, { code: 'review_not_found' }), token, 404)
    default:
      return kind satisfies never
  }
}

async function showReview(pages: ReviewPages, request: ReviewRequest, reply: FastifyReply) {
  const token = queryText(request, 'token')
  await pages.guard.admit('review', visitorOf(request, request.params.reviewId.toLowerCase()))
  const { reviews } = pages.database
  const visited = await admitToReview(
    { reviews, people: pages.people },
    request,
    request.params.reviewId,
    token,
  )
  if (visited.kind !== 'admitted') return refuse(pages, request, reply, visited, token)
  if (visited.review.status !== 'open') return sendLinkedPage(reply, verdictPage(visited), token)
  return sendLinkedPage(reply, await openPage(pages, visited, null), token)
}

async function openPage(
  { database }: ReviewPages,
  visited: Extract<ReviewAdmission, { kind: 'admitted' }>,
  refused: ReviewView['refused'],
): Promise<HtmlPage> {
  const { review, reviewer } = visited
  const obstacle = reviewerObstacle(review, reviewer)
  const hasApproved = (await database.reviews.voteOf(review.reviewId, voterOf(reviewer))) === 'approve'
  return reviewPage({ ...visited, obstacle, hasApproved, refused })
}

/** CSRF check: a link's token is unknown to other sites; a session requires a check of `Origin`. */
async function takeDecision(pages: ReviewPages, request: ReviewRequest, reply: FastifyReply) {
  const form: FormBody = request.body ?? new Map()
  const token = fieldText(form, 'token')
  await pages.guard.admit('review', visitorOf(request, request.params.reviewId.toLowerCase()))
  const { database, people, workflows } = pages
  const visited = await admitToReview(
    { reviews: database.reviews, people },
    request,
    request.params.reviewId,
    token,
  )
  if (visited.kind !== 'admitted') return refuse(pages, request, reply, visited, token)
  if (visited.token === null) people.requireSameOrigin(request)
  const { review, reviewer } = visited
  const { reviewId, organizationId } = review
  try {
    const { body, name, revision } = postedDecision(review.fields, form)
    const decider = reviewer.type === 'link' ? { ...reviewer, name } : reviewer
    if (decider.name === '') throw withoutName(review, body)
    await decideReview(
      { database, send: workflows.send },
      {
        scope: { organizationId, projectId: null },
        reviewId,
        reviewer: async () => decider,
        actor: auditedDecider(request, decider),
        body,
        revision,
      },
    )
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'validation_error' && error.errors && review.status === 'open') {
      const page = await openPage(pages, visited, { form, errors: error.errors, changed: null })
      return sendLinkedPage(reply, page, token, 400)
    }
    if (error.code === 'version_conflict') {
      const now = (await database.reviews.find({ organizationId, projectId: null }, reviewId)) ?? review
      if (now.status !== 'open')
        return sendLinkedPage(reply, verdictPage({ review: now, reviewer }), token, 409)
      const changed = reviewer.type === 'link' ? proposalChangedText(null) : error.message
      const refused = { form, errors: [], changed } as const
      return sendLinkedPage(reply, await openPage(pages, { ...visited, review: now }, refused), token, 409)
    }
    const isLate = error.code === 'review_already_decided' || error.code === 'run_not_active'
    if (!isLate) throw error
    const now = (await database.reviews.find({ organizationId, projectId: null }, reviewId)) ?? review
    const isOpen = now.status === 'open' && error.code === 'review_already_decided'
    const page = isOpen
      ? await openPage(pages, { ...visited, review: now }, null)
      : verdictPage({ review: now, reviewer })
    return sendLinkedPage(reply, page, token, 409)
  }
  return reply.redirect(pageAfterDecision(`/reviews/${reviewId}`, token), 303)
}

/** A visitor without a session must enter a name; this error is reported together with all other validation errors. */
function withoutName(
  { fields, requireRejectComment }: ReviewRecord,
  { decision, data = {}, comment }: ReviewDecisionBody,
): DomainError {
  const { errors } = decidedFields(fields, data, { isApproval: decision === 'approve' })
  const isUncommented = decision === 'reject' && requireRejectComment && !comment?.trim()
  return new DomainError('validation_error', 'The form is not valid.', {
    errors: [
      ...errors,
      ...(isUncommented ? [{ path: 'comment', message: COMMENT_REQUIRED }] : []),
      { path: 'name', message: 'is required' },
    ],
  })
}
