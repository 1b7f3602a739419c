import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An HTTP server for tools, which records its requests. */
export interface ShopServer extends AsyncDisposable {
  origin: string
  port: number
  seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  /** Its response from now on; `ok` before. */
  answer(next: Answer): void
}

export async function startShopServer(): Promise<ShopServer> {
  const seen: ShopServer['seen'] = []
  let answer: Answer = (_request, response) => response.end('ok')
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body })
    answer(request, response)
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    port,
    seen,
    answer(next) {
      answer = next
    },
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}
