import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The body of a request, of any protocol. */
export interface ProviderRequest {
  model: string
  messages: Record<string, unknown>[]
  input: Record<string, unknown>[]
  system: unknown
  thinking?: { type: string }
}

/** The double's response: events of a stream, or an error of the provider. */
export type ProviderAnswer = readonly object[] | { status: number; error: object }

/** A provider of models over HTTP that responds with `answer`. */
export interface ProviderDouble extends AsyncDisposable {
  url: string
  requests: ProviderRequest[]
}

/** `data:` lines, with `event:` lines for protocols whose events have a type (Anthropic, OpenAI's Responses). */
function send(response: ServerResponse, events: readonly object[], ending: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const type = 'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n` : ''
    response.write(`${type}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(ending)
}

/** @param ending the end of the stream after the last event: `data: [DONE]` in OpenAI's Chat Completions */
export async function startProvider(
  answer: (body: ProviderRequest, number: number) => ProviderAnswer,
  ending = '',
): Promise<ProviderDouble> {
  const requests: ProviderRequest[] = []
  const server: Server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const body = JSON.parse(text) as ProviderRequest
    requests.push(body)
    const given = answer(body, requests.length)
    if (Array.isArray(given)) return send(response, given, ending)
    const { status, error } = given as { status: number; error: object }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(error))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
