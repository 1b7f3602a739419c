import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type {
  SessionEvent,
  SpeechUsage,
  TranscriptItem,
  TurnLine,
  TurnRequest,
} from '@troupe/contract/voice-worker'

/** The response to a turn, line by line; `signal` fires when the worker closes the connection. */
export type AnswerTurn = (request: TurnRequest, signal: AbortSignal) => AsyncIterable<TurnLine>

/** The end of a session, as reported by the worker. */
interface ReportedEnd {
  reason: string
  failoverUsed: boolean
  usage: SpeechUsage[]
  timings: { readyMs: number | null; firstAudioMs: number | null; durationMs: number }
}

/** The server's side of one voice session, over real HTTP, without a database. */
export interface VoiceServerDouble extends AsyncDisposable {
  url: string
  turns: TurnRequest[]
  /** In the order in which they were stored. */
  items: TranscriptItem[]
  ends: ReportedEnd[]
  /** The number of requests for more minutes; each is refused. */
  leaseRequests: number
  /** Sends an event; later connections start with it. */
  tell(event: SessionEvent): void
}

export async function startVoiceServerDouble(answer: AnswerTurn): Promise<VoiceServerDouble> {
  const streams = new Set<ServerResponse>()
  const told: string[] = []
  const double: Pick<VoiceServerDouble, 'turns' | 'items' | 'ends' | 'leaseRequests'> = {
    turns: [],
    items: [],
    ends: [],
    leaseRequests: 0,
  }
  const server = createServer(async (request, response) => {
    const path = request.url?.split('/').at(-1)
    const body = await bodyOf(request)
    if (path === 'turn') {
      double.turns.push(body)
      return sendTurn(response, answer, body)
    }
    if (path === 'events') {
      streams.add(response.writeHead(200, { 'content-type': 'text/event-stream' }))
      response.write(told.join('') || ': connected\n\n')
      return
    }
    if (path === 'lease') {
      double.leaseRequests += 1
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ leaseUntil: null, granted: false }))
    }
    if (path === 'items') double.items.push(...body.items)
    if (path === 'ended') double.ends.push(body)
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}`,
    tell(event: SessionEvent) {
      const line = `data: ${JSON.stringify(event)}\n\n`
      told.push(line)
      for (const stream of streams) stream.write(line)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  })
}

async function bodyOf(request: IncomingMessage) {
  const sent = await text(request)
  return sent === '' ? null : JSON.parse(sent)
}

async function sendTurn(response: ServerResponse, answer: AnswerTurn, turn: TurnRequest): Promise<void> {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-run-id': `run-${turn.turnSeq}` })
  response.flushHeaders()
  for await (const line of answer(turn, closed.signal)) {
    if (closed.signal.aborted) return
    response.write(`${JSON.stringify(line)}\n`)
  }
  response.end()
}
