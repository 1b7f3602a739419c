import { type HtmlPage, pageHeaders, renderPage } from '@troupe/server-html/rendering/html-page'
import type { FastifyReply } from 'fastify'

/** Sends a page with its security policy. */
export function sendPage(reply: FastifyReply, page: HtmlPage, status = 200): FastifyReply {
  // X-Frame-Options supports no list of origins, and old browsers would prefer it.
  if (page.policy?.embedOrigins?.length) reply.removeHeader('x-frame-options')
  return reply.code(status).type('text/html; charset=utf-8').headers(pageHeaders(page)).send(renderPage(page))
}
