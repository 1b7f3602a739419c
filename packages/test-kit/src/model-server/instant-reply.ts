import type { ServerResponse } from 'node:http'
import { chunkOf, completionOf, usageChunkOf, usageOf } from './completion.ts'
import { DEFAULT_USAGE, type ModelReply } from './reply.ts'

const MODEL = 'model'
const REPLY: ModelReply = { text: 'Hello from the model server.', usage: DEFAULT_USAGE }

function events(...chunks: Record<string, unknown>[]): Buffer {
  return Buffer.from(
    `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
  )
}

const CHUNKS = [chunkOf(MODEL, { role: 'assistant', content: REPLY.text }), chunkOf(MODEL, {}, 'stop')]
const STREAM = events(...CHUNKS)
const STREAM_WITH_USAGE = events(...CHUNKS, usageChunkOf(MODEL, usageOf(REPLY) ?? {}))
const COMPLETION = Buffer.from(JSON.stringify(completionOf(REPLY, MODEL)))

function headersFor(body: Buffer, type: string): Record<string, string | number> {
  return { 'content-type': type, 'content-length': body.length }
}
const STREAM_HEADERS = headersFor(STREAM, 'text/event-stream')
const STREAM_WITH_USAGE_HEADERS = headersFor(STREAM_WITH_USAGE, 'text/event-stream')
const COMPLETION_HEADERS = headersFor(COMPLETION, 'application/json')

/** Sends the fixed default text in one write of a buffer created at startup: the zero-latency upstream of a benchmark. */
export function sendInstantReply(response: ServerResponse, stream: boolean, includeUsage: boolean): void {
  if (!stream) response.writeHead(200, COMPLETION_HEADERS).end(COMPLETION)
  else if (includeUsage) response.writeHead(200, STREAM_WITH_USAGE_HEADERS).end(STREAM_WITH_USAGE)
  else response.writeHead(200, STREAM_HEADERS).end(STREAM)
}
