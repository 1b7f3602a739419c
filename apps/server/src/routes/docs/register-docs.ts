import { readFile } from 'node:fs/promises'
import { publicDocument } from '@troupe/http/openapi/documents/public-document'
import { siteDocument } from '@troupe/http/openapi/documents/site-document'
import type { App } from '@troupe/http/server-types'
import { sessionCookieFor } from '@troupe/people/session-cookie'
import { TYPE_AND_COLOURS } from '@troupe/server-html/rendering/html-page'
import type { FastifyReply } from 'fastify'
import { renderReference } from './render-reference.ts'

/** The page's own style sheet, script and fonts, and requests to this server: nothing inline, nothing from other origins. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The subject of the documents. */
export interface DocumentedServer {
  /** Without a trailing slash. */
  publicUrl: string
  /** Whether monitoring is on this port. */
  hasMonitoring: boolean
}

/**
 * `GET /api/v1/openapi.json` and the reference at `/docs`, which need no key, and `GET /api/builder/openapi.json` for the operator.
 * Each is generated on its first request: at boot that would take a tenth of a second.
 */
export function registerDocs(app: App, { publicUrl, hasMonitoring }: DocumentedServer): void {
  const publicJson = once(() => JSON.stringify(publicDocument(publicUrl)))
  const sessionCookie = sessionCookieFor(publicUrl).name
  const siteJson = once(() => JSON.stringify(siteDocument(publicUrl, { hasMonitoring, sessionCookie })))
  const pages = once(() => renderReference(publicDocument(publicUrl)))
  const style = once(async () => [TYPE_AND_COLOURS, await fileText('style.css')].join('\n'))
  const script = once(() => fileText('reference.js'))
  const sendPage = (reply: FastifyReply, slug: string) => {
    const page = pages().get(slug)
    if (page === undefined) return reply.callNotFound()
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', PAGE_POLICY)
      .send(page)
  }

  app.get('/api/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(publicJson()),
  )
  app.get('/api/builder/openapi.json', { config: { access: 'operator' } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(siteJson()),
  )
  app.get('/docs', async (_request, reply) => sendPage(reply, ''))
  app.get<{ Params: { page: string } }>('/docs/:page', async (request, reply) =>
    sendPage(reply, request.params.page),
  )
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  app.get('/docs/style.css', async (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await style()),
  )
  app.get('/docs/reference.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await script()),
  )
}

/** The text of a file beside this module. */
function fileText(name: string): Promise<string> {
  return readFile(new URL(`./${name}`, import.meta.url), 'utf8')
}

/** Calls a function at most once. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
