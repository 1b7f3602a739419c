import { type ErrorCode, statusOf } from '@troupe/contract'
import { html, type Markup } from '@troupe/html'
import { lingerAfterRefusal } from '@troupe/http/connections/lingering-close'
import { toDomainError, writeRetryAfter } from '@troupe/http/respond-error'
import { RESET_PATH } from '@troupe/pages/paths/next-path'
import type { HtmlPage } from '@troupe/pages/rendering/html-page'
import { RateLimitedError } from '@troupe/rate-limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from './send-page.ts'

const TITLES: Record<number, string> = {
  400: 'This did not work',
  401: 'Please sign in',
  403: 'You have no access',
  404: 'This page does not exist',
  405: 'This did not work',
  413: 'That was too large',
  415: 'This did not work',
  429: 'Too many requests',
  503: 'Please try again in a moment',
}

/** Titles for error codes that are more specific than their status. */
const TITLES_BY_CODE: Partial<Record<ErrorCode, string>> = {
  invitation_not_found: 'This invitation cannot be used',
  password_reset_not_found: 'This link cannot be used',
}

/** The next step for error codes that have one. */
const NEXT_STEPS: Partial<Record<ErrorCode, Markup>> = {
  password_reset_not_found: html`<p><a href="${RESET_PATH}">Ask for a new link</a></p>`,
}

/** The error page: what happened and what the visitor can do. */
export function errorPage(status: number, message: string, code?: ErrorCode): HtmlPage {
  const title = (code && TITLES_BY_CODE[code]) ?? TITLES[status] ?? 'Something went wrong'
  return { title, main: html`<h1>${title}</h1><p>${message}</p>${(code && NEXT_STEPS[code]) ?? null}` }
}

/** The API's error handler, rendered as a page. A defect is logged in full and its details are withheld. */
export function respondErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  lingerAfterRefusal(request, reply)
  const known = toDomainError(error, request.routeOptions)
  if (!known) {
    request.log.error({ requestId: request.id, err: error }, 'page failed')
    sendPage(reply, errorPage(500, `Please try again later. The id of this request is ${request.id}.`), 500)
    return
  }
  if (known.internal) {
    request.log.warn({ requestId: request.id, code: known.code, internal: known.internal }, 'request refused')
  }
  writeRetryAfter(reply, known)
  const wait =
    known instanceof RateLimitedError
      ? `Please try again in ${known.retryAfterSeconds} seconds.`
      : known.message
  sendPage(reply, errorPage(statusOf(known.code), wait, known.code), statusOf(known.code))
}
