import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject } from '@troupe/contract'
import { embeddingsOf } from './embeddings.ts'
import { sendInstantReply } from './instant-reply.ts'
import { type RecordedBody, RecordedRequest } from './recorded-request.ts'
import type { ModelReply } from './reply.ts'
import { sendJson, sendReply } from './send-reply.ts'

/** Options of {@link startModelServer}. */
export interface ModelServerOptions {
  /** False records no requests (for benchmarks); true by default. */
  record?: boolean
  /** Response to `GET /v1/models`; `['model']` by default. */
  models?: string[]
  /** Port to listen on; a free one by default. */
  port?: number
}

type Responder = (request: RecordedRequest) => ModelReply | string | undefined

/** A running server that speaks the OpenAI protocol on 127.0.0.1. */
export interface ModelServer extends AsyncDisposable {
  /** Base URL, ending with `/v1`. */
  readonly url: string
  /** Every request so far, oldest first, including those with an error response. */
  readonly requests: RecordedRequest[]
  /** Queues replies to chat completions; each is used once, in order. A string is a reply with that text. */
  script(...replies: (ModelReply | string)[]): void
  /** Handles chat completions when the queue is empty; undefined falls back to the fixed default text. */
  respond(responder: Responder): void
  /** Clears the recorded requests, the queue and the responder. */
  reset(): void
  /** Destroys every connection and stops listening. */
  close(): Promise<void>
}

/** Starts the server on a free port. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const record = options.record ?? true
  const models = options.models ?? ['model']
  const requests: RecordedRequest[] = []
  let queue: (ModelReply | string)[] = []
  let responder: Responder | undefined
  let closing = false

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(incoming)
    const path = (incoming.url ?? '').split('?', 1)[0] ?? ''
    const request = new RecordedRequest(incoming.method ?? '', path, incoming.headers, body)
    if (record) requests.push(request)

    if (path === '/v1/chat/completions') return answer(request, response)
    if (path === '/v1/embeddings') return sendJson(response, 200, embeddingsOf(body))
    if (path === '/v1/models') {
      const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'scripted' }))
      return sendJson(response, 200, { object: 'list', data })
    }
    sendJson(response, 404, { error: { message: `no such path: ${path}`, type: 'scripted', code: null } })
  }

  function answer(request: RecordedRequest, response: ServerResponse): void | Promise<void> {
    let broken = false
    response.once('close', () => {
      if (!response.writableFinished && !broken && !closing) request.markAborted()
    })
    const stream = request.body.stream === true
    const includeUsage = request.body.stream_options?.include_usage === true
    const scripted = queue.shift() ?? responder?.(request)
    if (scripted === undefined) return sendInstantReply(response, stream, includeUsage)
    const reply = typeof scripted === 'string' ? { text: scripted } : scripted
    const onBreak = () => {
      broken = true
    }
    return sendReply(response, reply, { model: String(request.body.model), stream, includeUsage, onBreak })
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const close = () =>
    new Promise<void>((resolve) => {
      closing = true
      server.close(() => resolve())
      server.closeAllConnections()
    })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script: (...replies) => void queue.push(...replies),
    respond: (next) => {
      responder = next
    },
    reset: () => {
      requests.length = 0
      queue = []
      responder = undefined
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function readJson(incoming: IncomingMessage): Promise<RecordedBody> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.once('error', reject)
    incoming.once('end', () => {
      try {
        const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'))
        resolve(isJsonObject(body) ? body : {})
      } catch {
        resolve({})
      }
    })
  })
}
