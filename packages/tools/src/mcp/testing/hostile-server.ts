import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Message {
  id?: number
  method: string
  params?: { name?: string; arguments?: unknown; cursor?: string }
}

/** The server's response to a method: a result, or a function that writes the response itself. */
type Behaviour = (message: Message, response: ServerResponse, request: IncomingMessage) => unknown

/** An MCP server over Streamable HTTP with a behaviour defined by each test. */
export interface HostileServer extends AsyncDisposable {
  url: string
  /** The requested methods, in order. */
  asked: string[]
  on: Record<string, Behaviour>
}

/** The responses of a well-behaved server. */
const USUAL: Record<string, Behaviour> = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', version: '1' },
  }),
  'tools/list': () => ({ tools: [listed('echo')] }),
  'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] }),
}

export function listed(name: string, more: object = {}) {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more }
}

/** Never ends, and sends 64 KB whenever the reader accepts it. */
export function flood(_: Message, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const more = () => {
    while (!response.destroyed && response.write(`: ${'x'.repeat(65_536)}\n\n`));
    response.once('drain', more)
  }
  more()
}

async function read(request: IncomingMessage): Promise<Message | null> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? null : (JSON.parse(text) as Message)
}

export async function startHostileServer(): Promise<HostileServer> {
  const asked: string[] = []
  const on = { ...USUAL }
  const server = createServer(async (request, response) => {
    const message = await read(request)
    if (message?.id === undefined) {
      response.writeHead(202).end()
      return
    }
    asked.push(message.method)
    const result = on[message.method]?.(message, response, request)
    if (result === undefined) return
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    on,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
