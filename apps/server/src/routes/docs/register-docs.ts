import { readFile } from 'node:fs/promises'
import { OPERATIONS, TRIGGER_OPERATIONS } from '@troupe/contract'
import type { App } from '../../http/server-types.ts'
import { openApiDocument } from '../../openapi/document.ts'
import { renderReference } from './render-reference.ts'

/** Only the page's own style sheet: no script, no inline style, no external resources. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `GET /api/v1/openapi.json` and the reference page at `/docs`; both need no key. Rendered once, at boot. */
export function registerDocs(app: App, publicUrl: string): void {
  app.register(async (scope) => {
    const document = openApiDocument(
      [...Object.values(OPERATIONS), ...Object.values(TRIGGER_OPERATIONS)],
      publicUrl,
    )
    const json = JSON.stringify(document)
    const page = renderReference(document)
    const style = await readFile(new URL('./style.css', import.meta.url), 'utf8')

    scope.get('/api/v1/openapi.json', async (_request, reply) =>
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(json),
    )
    scope.get('/docs', async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('content-security-policy', PAGE_POLICY)
        .send(page),
    )
    scope.get('/docs/style.css', async (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(style),
    )
  })
}
