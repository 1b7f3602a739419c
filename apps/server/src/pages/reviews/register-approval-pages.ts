import type { ApprovalRecord } from '@troupe/agents/ports'
import { DomainError, isUuid, oneLine, type ResolveApprovalBody } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { presentApproval } from '@troupe/operations/approvals/present-approval'
import { resolveApproval } from '@troupe/operations/approvals/resolve-approval'
import { type FormBody, fieldText } from '@troupe/pages/rendering/form-body'
import { approvalPage, type ShownApproval } from '@troupe/pages/reviews/approval-page'
import type { Guard } from '@troupe/rate-limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/server-types.ts'
import type { People, SignedInPerson } from '../../people/people.ts'
import type { Runs } from '../../wiring/create-runs.ts'
import { errorPage } from '../rendering/error-page.ts'
import { registerPages } from '../rendering/register-pages.ts'
import { sendPage } from '../rendering/send-page.ts'

const APPROVAL_PATH = '/approvals/:approvalId'
const MAX_REASON = 2_000

/** Dependencies of the pages of approvals. */
export interface ApprovalPages {
  database: Pick<Database, 'approvals' | 'transaction'>
  people: People
  guard: Pick<Guard, 'admit'>
  runs: Pick<Runs, 'send'>
}

interface ApprovalRoute {
  Params: { approvalId: string }
  Body: FormBody | undefined
}
type ApprovalRequest = FastifyRequest<ApprovalRoute>

/** An approval for people: masked. */
export function shownApproval(approval: ApprovalRecord): ShownApproval {
  return { ...presentApproval(approval), agentName: oneLine(approval.agentName) }
}

/** Registers the pages on which members decide calls of tools. GET and HEAD change nothing; decisions are POSTed. */
export function registerApprovalPages(app: App, pages: ApprovalPages): void {
  registerPages(app, (scope) => {
    scope.get<ApprovalRoute>(APPROVAL_PATH, (request, reply) => show(pages, request, reply))
    scope.post<ApprovalRoute>(APPROVAL_PATH, (request, reply) => takeDecision(pages, request, reply))
  })
}

const notFound = (reply: FastifyReply) => sendPage(reply, errorPage(404, 'There is no such approval.'), 404)

/** The approval in one of the person's organizations; null for any other id. */
async function approvalOf(
  { database }: ApprovalPages,
  { memberships }: SignedInPerson,
  approvalId: string,
): Promise<ApprovalRecord | null> {
  if (!isUuid(approvalId)) return null
  for (const { organizationId } of memberships) {
    const found = await database.approvals.find(organizationId, approvalId)
    if (found) return found
  }
  return null
}

/** The signed-in person and the approval, or the answer to a visitor who may not see it. */
async function admit(pages: ApprovalPages, request: ApprovalRequest) {
  const { approvalId } = request.params
  await pages.guard.admit('review', { ip: request.ip, token: approvalId })
  const person = await pages.people.signedIn(request.headers)
  return { person, approval: person && (await approvalOf(pages, person, approvalId)) }
}

async function show(pages: ApprovalPages, request: ApprovalRequest, reply: FastifyReply) {
  const { person, approval } = await admit(pages, request)
  if (!person) return redirectToSignIn(pages, request, reply)
  return approval ? sendPage(reply, approvalPage(shownApproval(approval))) : notFound(reply)
}

function redirectToSignIn({ people }: ApprovalPages, { params }: ApprovalRequest, reply: FastifyReply) {
  return reply.redirect(people.signInPath(`/approvals/${encodeURIComponent(params.approvalId)}`), 303)
}

/** @throws DomainError `validation_error` */
function postedBody(form: FormBody): ResolveApprovalBody {
  const decision = fieldText(form, 'decision')
  const reason = fieldText(form, 'reason').replaceAll('\r\n', '\n')
  if ((decision !== 'approve' && decision !== 'reject') || reason.length > MAX_REASON) {
    const message = `Approve or reject, with a reason of at most ${MAX_REASON} characters.`
    throw new DomainError('validation_error', message)
  }
  return { decision, reason }
}

async function takeDecision(pages: ApprovalPages, request: ApprovalRequest, reply: FastifyReply) {
  const { person, approval } = await admit(pages, request)
  if (!person) return redirectToSignIn(pages, request, reply)
  pages.people.requireSameOrigin(request)
  if (!approval) return notFound(reply)
  const { approvalId, organizationId } = approval
  const { userId, name } = person
  try {
    await resolveApproval(
      { database: pages.database, send: pages.runs.send },
      {
        scope: { organizationId, projectId: null },
        approvalId,
        by: async () => ({ type: 'user', id: userId, name }),
        actor: { kind: 'user', id: userId, ip: request.ip, requestId: request.id },
        body: postedBody(request.body ?? new Map()),
      },
    )
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'approval_already_resolved') throw error
    const now = (await pages.database.approvals.find(organizationId, approvalId)) ?? approval
    return sendPage(reply, approvalPage(shownApproval(now)), 409)
  }
  // Redirects to the page, so that a reload does not repeat the decision.
  return reply.redirect(`/approvals/${approvalId}`, 303)
}
