import { type ErrorCode, statusOf } from '@troupe/contract'
import { html, type Markup, momentText } from '@troupe/html'
import { lingerAfterRefusal } from '@troupe/http/connections/lingering-close'
import { respondError, toDomainError, writeRetryAfter } from '@troupe/http/respond-error'
import { ExpiredLinkError } from '@troupe/operations/access/expired-link-error'
import { RateLimitedError } from '@troupe/rate-limits'
import { HOME_PATH, RESET_PATH, SIGN_IN_PATH } from '@troupe/server-html/paths/next-path'
import type { HtmlPage } from '@troupe/server-html/rendering/html-page'
import { BRAND } from '@troupe/server-html/rendering/mark'
import { sign } from '@troupe/server-html/rendering/sign'
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
  approval_not_found: 'This link does not lead to an approval',
  form_not_found: 'This form is not available',
  invitation_not_found: 'This invitation cannot be used',
  password_reset_not_found: 'This link cannot be used',
  review_not_found: 'This link does not lead to a review',
}

/** The same for links that have expired. */
const TITLES_OF_EXPIRED: Partial<Record<ErrorCode, string>> = {
  invitation_not_found: 'This invitation has expired',
  password_reset_not_found: 'This link has expired',
}

/** A link to the visitor's next step. */
const way = (path: string, label: string): Markup =>
  html`<p class="way"><a class="button" href="${path}">${label}</a></p>`

/** The next step for error codes that have one. */
const TO_SIGN_IN = way(SIGN_IN_PATH, 'Sign in')
const TO_REVIEWS = way('/reviews', 'Go to your reviews')
/** For visitors without a more specific next step. */
const WAY_HOME = way(HOME_PATH, 'Go to the start page')
const NEXT_STEPS: Partial<Record<ErrorCode, Markup>> = {
  approval_not_found: TO_REVIEWS,
  // Whoever has used it has an account.
  invitation_not_found: TO_SIGN_IN,
  password_reset_not_found: way(RESET_PATH, 'Ask for a new link'),
  review_not_found: TO_REVIEWS,
}

interface ErrorPageFacts {
  code?: ErrorCode
  /** The kind of form whose page this is; null: another page. */
  form?: 'published' | 'test' | null
  /** The end of a link that its visitor holds. */
  expiredAt?: Date | null
}

/** The error page: the problem and the visitor's next step. */
export function errorPage(
  status: number,
  message: string,
  { code, form = null, expiredAt = null }: ErrorPageFacts = {},
): HtmlPage {
  const specific = code && (expiredAt === null ? TITLES_BY_CODE : TITLES_OF_EXPIRED)[code]
  const title = specific ?? TITLES[status] ?? 'Something went wrong'
  if (form !== null) return formErrorPage(title, message, code === 'form_not_found' ? FORM_HINTS[form] : null)
  const next = (code && NEXT_STEPS[code]) ?? (status === 401 ? TO_SIGN_IN : WAY_HOME)
  const end = expiredAt === null ? null : html`It was valid until ${momentText(expiredAt.getTime())}. `
  return {
    title,
    width: 'column',
    header: BRAND,
    main: html`${specific ? null : html`<p class="status">${status}</p>`}<h1>${title}</h1><p>${end}${message}</p>${next}`,
  }
}

const FORM_HINTS = {
  published: 'It may be closed, or its address has changed. Ask for the new one where you found the link.',
  test: 'A test form is open while somebody listens for it in the editor of the workflow. Ask for it to be opened again.',
}

/** On the sheet of a form, without a link: forms are embedded in other sites, and their visitors do not use the builder. */
function formErrorPage(title: string, message: string, hint: string | null): HtmlPage {
  const more = hint === null ? null : html`<p class="quiet">${hint}</p>`
  return { title, main: html`${sign('closed')}<h1>${title}</h1><p>${message}</p>${more}` }
}

/** A page for the first person of a server, opened by somebody else or too late. */
export function pastFirstSignIn(title: string, message: string): HtmlPage {
  return {
    title,
    width: 'column',
    header: BRAND,
    main: html`<h1>${title}</h1><p>${message}</p>${TO_SIGN_IN}`,
  }
}

/** Whether a browser navigated to an address without a page. */
function isLostBrowser({ is404, method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return is404 && isRead && !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '')
}

/** The API's error response, but a page for browsers at an unknown address. */
export function respondErrorTo(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!isLostBrowser(request)) respondError(error, request, reply)
  else if (toDomainError(error, request.routeOptions)?.code !== 'not_found') {
    respondErrorPage(error, request, reply)
  } else {
    sendPage(reply, errorPage(404, 'The address may be mistyped, or the page no longer exists.'), 404)
  }
}

/** The API's error handler, rendered as a page. A defect is logged in full; its details are not shown. */
export function respondErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  lingerAfterRefusal(request, reply)
  const { url = '' } = request.routeOptions
  const form = url.startsWith('/forms/preview/') ? 'test' : url.startsWith('/forms/') ? 'published' : null
  const known = toDomainError(error, request.routeOptions)
  if (!known) {
    request.log.error({ requestId: request.id, err: error }, 'page failed')
    sendPage(
      reply,
      errorPage(500, `Please try again later. The id of this request is ${request.id}.`, { form }),
      500,
    )
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
  const expiredAt = known instanceof ExpiredLinkError ? known.expiredAt : null
  const page = errorPage(statusOf(known.code), wait, { code: known.code, form, expiredAt })
  sendPage(reply, page, statusOf(known.code))
}
