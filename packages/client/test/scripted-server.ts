import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Arrived {
  method: string
  /** Path with query. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answers one request. */
export type Script = (response: ServerResponse, request: Arrived) => void | Promise<void>

/** A real HTTP server on a free port that answers the n-th request with the n-th script, and the rest with the last. */
export interface ScriptedServer extends AsyncDisposable {
  baseUrl: string
  requests: Arrived[]
  /** Connections that are open now. */
  openConnections(): Promise<number>
}

async function arrivedOf(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url = '', headers } = request
  return { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
}

export async function scriptedServer(...scripts: Script[]): Promise<ScriptedServer> {
  const requests: Arrived[] = []
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined)
    const script = scripts[Math.min(requests.length, scripts.length - 1)]
    const arrived = await arrivedOf(request)
    requests.push(arrived)
    await script?.(response, arrived)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    openConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, n) => (error ? reject(error) : resolve(n))),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** Answers with a page, as a proxy does. */
export function page(status: number): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end('<html><body>Not Troupe</body></html>')
  }
}
