import { propertyOf, type ReviewActor } from '@troupe/contract'
import type { HtmlPage } from '@troupe/server-html/rendering/html-page'
import type { Actor } from '@troupe/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../rendering/send-page.ts'

/** A text of the query; '' when it is absent or repeated. */
export function queryText(request: FastifyRequest, name: string): string {
  const value = propertyOf(request.query, name)
  return typeof value === 'string' ? value : ''
}

/** The URL of a link contains its secret, so the page sends no referrer. `token`: the link's, '' without one. */
export function sendLinkedPage(
  reply: FastifyReply,
  page: HtmlPage,
  token: string,
  status = 200,
): FastifyReply {
  return sendPage(reply, token === '' ? page : { ...page, policy: { referrer: 'no-referrer' } }, status)
}

/** The actor of a decision for the audit log: the holder of a link is unknown. */
export function auditedDecider(
  request: FastifyRequest,
  { type, id }: Pick<ReviewActor, 'type' | 'id'>,
): Actor {
  const { ip, id: requestId } = request
  return type === 'user' ? { kind: 'user', id, ip, requestId } : { kind: 'system', id: null, ip, requestId }
}

/** The redirect target after a decision, so that a reload does not repeat it. */
export function pageAfterDecision(path: string, token: string): string {
  return token === '' ? path : `${path}?${new URLSearchParams({ token })}`
}
