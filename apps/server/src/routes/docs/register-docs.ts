import { readFile } from 'node:fs/promises'
import type { App } from '@troupe/http/server-types'
import { publicDocument, siteDocument } from '@troupe/openapi'
import { sessionCookieFor } from '@troupe/people/session-cookie'
import { renderReference } from './render-reference.ts'

/** Only the page's own style sheet: no script, no inline style, no external resources. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The subject of the documents. */
export interface DocumentedServer {
  /** Without a trailing slash. */
  publicUrl: string
  /** Whether monitoring is on this port. */
  hasMonitoring: boolean
}

/**
 * `GET /api/v1/openapi.json` and the reference page at `/docs`, which need no key, and
 * `GET /api/builder/openapi.json` for the operator. Each is made at its first request: the boot would take a
 * tenth of a second longer.
 */
export function registerDocs(app: App, { publicUrl, hasMonitoring }: DocumentedServer): void {
  const publicJson = once(() => JSON.stringify(publicDocument(publicUrl)))
  const sessionCookie = sessionCookieFor(publicUrl).name
  const siteJson = once(() => JSON.stringify(siteDocument(publicUrl, { hasMonitoring, sessionCookie })))
  const page = once(() => renderReference(publicDocument(publicUrl)))
  const style = once(() => readFile(new URL('./style.css', import.meta.url), 'utf8'))

  app.get('/api/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(publicJson()),
  )
  app.get('/api/builder/openapi.json', { config: { access: 'operator' } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(siteJson()),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', PAGE_POLICY)
      .send(page()),
  )
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  app.get('/docs/style.css', async (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await style()),
  )
}

/** Calls a function at most once. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
