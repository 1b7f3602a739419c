import type { ApprovalRecord } from '@troupe/agents/ports'
import {
  ApprovalId,
  DomainError,
  type IdText,
  oneLine,
  parseId,
  type ResolveApprovalBody,
  type ReviewActor,
} from '@troupe/contract'
import type { App } from '@troupe/http/server-types'
import { type AskedMember, approvalAsks } from '@troupe/operations/approvals/asked-members'
import { presentApproval } from '@troupe/operations/approvals/present-approval'
import { resolveApproval } from '@troupe/operations/approvals/resolve-approval'
import type { People } from '@troupe/people/people'
import { type Guard, visitorOf } from '@troupe/rate-limits'
import { type FormBody, fieldText } from '@troupe/server-html/rendering/form-body'
import { approvalPage, type ShownApproval } from '@troupe/server-html/reviews/approval-page'
import type { Database } from '@troupe/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admitByLink, type LinkAdmission } from '../../access/link-access.ts'
import type { Runs } from '../../wiring/create-runs.ts'
import { errorPage } from '../rendering/error-page.ts'
import { registerPages } from '../rendering/register-pages.ts'
import { auditedDecider, pageAfterDecision, queryText, sendLinkedPage } from './decision-request.ts'

const APPROVAL_PATH = '/approvals/:approvalId'
/** One text for every link that leads nowhere. */
const LOST_LINK =
  'The link may be incomplete, or the approval was deleted with its run. Open the link again from its message, or find the approval in your inbox.'
const MAX_REASON = 2_000
const MAX_NAME = 100

/** Dependencies of the pages of approvals. */
export interface ApprovalPages {
  database: Pick<Database, 'approvals' | 'transaction'>
  people: People
  guard: Pick<Guard, 'admit'>
  runs: Pick<Runs, 'send'>
}

interface ApprovalRoute {
  Params: { approvalId: IdText<ApprovalId> }
  Querystring: Record<string, string | string[] | undefined>
  Body: FormBody | undefined
}
type ApprovalRequest = FastifyRequest<ApprovalRoute>

/** An approval as shown to users: secrets are masked. */
export function shownApproval(approval: ApprovalRecord): ShownApproval {
  return { ...presentApproval(approval), agentName: oneLine(approval.agentName) }
}

/** Registers the pages on which members and holders of a link decide calls of tools. GET and HEAD change nothing; decisions are POSTed. */
export function registerApprovalPages(app: App, pages: ApprovalPages): void {
  registerPages(app, (scope) => {
    scope.get<ApprovalRoute>(APPROVAL_PATH, (request, reply) => show(pages, request, reply))
    scope.post<ApprovalRoute>(APPROVAL_PATH, (request, reply) => takeDecision(pages, request, reply))
  })
}

/** A visitor who may see the approval. */
interface Visit {
  kind: 'admitted'
  approval: ApprovalRecord
  /** The name of a visitor without a session is empty. */
  visitor: ReviewActor
  /** The member whom the approval must be assigned to; null for the holder of its link. */
  asked: AskedMember | null
  token: string | null
}

async function admit(
  { guard, people, database: { approvals } }: ApprovalPages,
  request: ApprovalRequest,
  token: string,
): Promise<Visit | Exclude<LinkAdmission, { kind: 'admitted' }>> {
  const approvalId = parseId(ApprovalId, request.params.approvalId)
  await guard.admit('review', visitorOf(request, request.params.approvalId.toLowerCase()))
  const link = approvalId && (await approvals.link(approvalId))
  const visit = await admitByLink(people, request, link, token)
  if (visit.kind !== 'admitted') return visit
  const approval = approvalId && link && (await approvals.find(link.organizationId, approvalId))
  if (!approval) return { kind: 'not_found' }
  const { member } = visit
  // A link's holder was sent it, or got it from a recipient.
  const asked = member && visit.token === null ? { role: member.role, email: member.person.email } : null
  if (asked && !approvalAsks(approval, asked)) return { kind: 'not_found' }
  const visitor: ReviewActor = visit.member
    ? { type: 'user', id: visit.member.person.userId, name: visit.member.person.name }
    : { type: 'link', id: approval.approvalId, name: '' }
  return { kind: 'admitted', approval, visitor, asked, token: visit.token }
}

function refuse(
  { people }: ApprovalPages,
  { params }: ApprovalRequest,
  reply: FastifyReply,
  { kind }: Exclude<LinkAdmission, { kind: 'admitted' }>,
  token: string,
) {
  if (kind === 'sign_in_required') {
    return reply.redirect(people.signInPath(`/approvals/${encodeURIComponent(params.approvalId)}`), 303)
  }
  const page = errorPage(404, LOST_LINK, { code: 'approval_not_found' })
  return sendLinkedPage(reply, page, token, 404)
}

const pageOf = ({ approval, visitor, token }: Visit) =>
  approvalPage(shownApproval(approval), { token, isMember: visitor.type === 'user' })

async function show(pages: ApprovalPages, request: ApprovalRequest, reply: FastifyReply) {
  const token = queryText(request, 'token')
  const visit = await admit(pages, request, token)
  if (visit.kind !== 'admitted') return refuse(pages, request, reply, visit, token)
  return sendLinkedPage(reply, pageOf(visit), token)
}

/** @throws DomainError `validation_error` */
function postedDecision(
  form: FormBody,
  visitor: ReviewActor,
): { by: ReviewActor; body: ResolveApprovalBody } {
  const decision = fieldText(form, 'decision')
  const reason = fieldText(form, 'reason')
  if ((decision !== 'approve' && decision !== 'reject') || reason.length > MAX_REASON) {
    const message = `Approve or reject, with a reason of at most ${MAX_REASON} characters.`
    throw new DomainError('validation_error', message)
  }
  const body: ResolveApprovalBody = { decision, reason }
  if (visitor.type !== 'link') return { by: visitor, body }
  // A single line: the name is shown within sentences.
  const name = oneLine(fieldText(form, 'name'))
  if (name === '' || name.length > MAX_NAME) {
    throw new DomainError('validation_error', `Enter your name, of at most ${MAX_NAME} characters.`)
  }
  return { by: { ...visitor, name }, body }
}

/** CSRF check: a link's token is unknown to other sites; a session requires a check of `Origin`. */
async function takeDecision(pages: ApprovalPages, request: ApprovalRequest, reply: FastifyReply) {
  const form: FormBody = request.body ?? new Map()
  const token = fieldText(form, 'token')
  const visit = await admit(pages, request, token)
  if (visit.kind === 'sign_in_required') return refuse(pages, request, reply, visit, token)
  if (visit.kind === 'not_found' || visit.token === null) pages.people.requireSameOrigin(request)
  if (visit.kind === 'not_found') return refuse(pages, request, reply, visit, token)
  const { approvalId, organizationId } = visit.approval
  const { by, body } = postedDecision(form, visit.visitor)
  const { asked } = visit
  try {
    await resolveApproval(
      { database: pages.database, send: pages.runs.send },
      {
        scope: { organizationId, projectId: null },
        approvalId,
        by: async () => by,
        ...(asked && { member: async () => asked }),
        actor: auditedDecider(request, by),
        body,
      },
    )
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'approval_already_resolved') throw error
    const approval = (await pages.database.approvals.find(organizationId, approvalId)) ?? visit.approval
    return sendLinkedPage(reply, pageOf({ ...visit, approval }), token, 409)
  }
  return reply.redirect(pageAfterDecision(`/approvals/${approvalId}`, token), 303)
}
