import type { ServerResponse } from 'node:http'
import { promises as timers } from 'node:timers'
import { chunkOf, completionOf, deltasOf, finishReasonOf, usageChunkOf, usageOf } from './completion.ts'
import type { ModelReply } from './reply.ts'

const BREAK_PAUSE_MS = 25

/** The response format that the client requested. */
export interface ReplyTarget {
  model: string
  stream: boolean
  includeUsage: boolean
  /**
   * Called before the server itself destroys the socket, so that this is not recorded as a client disconnect.
   */
  onBreak(): void
}

/**
 * Plays a scripted reply. Returns early, without throwing, when the client disconnects: every wait ends with
 * the response, so a closed connection leaves no timer behind.
 */
export async function sendReply(
  response: ServerResponse,
  reply: ModelReply,
  target: ReplyTarget,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const wait = (ms: number | undefined) =>
    ms ? timers.setTimeout(ms, undefined, { signal: gone.signal }) : undefined
  try {
    if (reply.hang === 'headers') return
    await wait(reply.headersDelayMs)
    if (reply.status !== undefined && reply.status !== 200) sendError(response, reply)
    else if (target.stream) await sendStream(response, reply, target, wait)
    else sendJson(response, 200, completionOf(reply, target.model), reply.headers)
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }
}

/** Writes a JSON body with its status. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function sendError(response: ServerResponse, reply: ModelReply): void {
  const status = reply.status ?? 500
  const body = reply.body ?? { error: { message: `scripted ${status}`, type: 'scripted', code: null } }
  sendJson(response, status, body, reply.headers)
}

async function sendStream(
  response: ServerResponse,
  reply: ModelReply,
  target: ReplyTarget,
  wait: (ms: number | undefined) => Promise<void> | undefined,
): Promise<void> {
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  response.flushHeaders()
  send(chunkOf(target.model, { role: 'assistant', content: '' }))

  const deltas = deltasOf(reply)
  for (let sent = 0; sent <= deltas.length; sent++) {
    if (reply.breakAfter === sent) {
      // Gives the client time to read the sent data: it drops its buffer when the socket is destroyed.
      await wait(BREAK_PAUSE_MS)
      target.onBreak()
      return void response.destroy()
    }
    if (reply.error?.after === sent) {
      const { after: _after, ...error } = reply.error
      send({ error: { type: 'scripted', ...error } })
      const spent = reply.usage && usageOf(reply)
      if (spent && target.includeUsage) send(usageChunkOf(target.model, spent))
      return void response.end('data: [DONE]\n\n')
    }
    const delta = deltas[sent]
    if (delta === undefined) break
    await wait(sent === 0 ? reply.firstTokenDelayMs : reply.paceMs)
    send(chunkOf(target.model, delta))
  }
  if (reply.hang === 'stream') return

  const finishReason = finishReasonOf(reply)
  if (finishReason !== null) send(chunkOf(target.model, {}, finishReason))
  const usage = usageOf(reply)
  if (usage && target.includeUsage) send(usageChunkOf(target.model, usage))
  response.end(reply.done === false ? '' : 'data: [DONE]\n\n')
}
