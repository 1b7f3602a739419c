import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** 3,000 operations in 800 KB. */
const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  servers: [{ url: 'https://api.test' }],
  paths: Object.fromEntries(
    Array.from({ length: 3_000 }, (_, n) => [
      `/things/${n}`,
      {
        post: {
          operationId: `op${n}`,
          summary: 'x'.repeat(100),
          requestBody: {
            content: {
              'application/json': { schema: { type: 'object', properties: { a: { type: 'string' } } } },
            },
          },
        },
      },
    ]),
  ),
})

/** Returns a long OpenAPI document at every path. */
export async function startDocumentServer(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(DOCUMENT)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
