import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A response, byte for byte. */
export interface RawAnswer {
  /** 200 when absent. */
  status?: number
  /** `text/event-stream` when absent; null sends no content type. */
  contentType?: string | null
  /** Each piece is one write. */
  body: readonly (Uint8Array | string)[]
}

/** A received request. */
export interface RawRequest {
  path: string
  headers: Record<string, string | string[] | undefined>
  /** Parsed JSON. */
  body: Record<string, unknown>
}

/** A server that sends prepared bytes on 127.0.0.1 for any request. */
export interface BodyServer extends AsyncDisposable {
  /** Base URL, ending with `/v1`. */
  readonly url: string
  /** Every request since the last {@link BodyServer.reset}, oldest first. */
  readonly requests: RawRequest[]
  /** Queues responses, each used once; the last one is repeated. */
  play(...answers: RawAnswer[]): void
  /** Clears responses and requests. */
  reset(): void
  close(): Promise<void>
}

/** Starts the server on a free port. */
export async function startBodyServer(): Promise<BodyServer> {
  const requests: RawRequest[] = []
  let answers: RawAnswer[] = []
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString('utf8')
    const { url = '', headers } = incoming
    requests.push({ path: url, headers, body: text === '' ? {} : JSON.parse(text) })
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, body: [] }
    const { status = 200, contentType = 'text/event-stream', body } = answer
    outgoing.writeHead(status, contentType === null ? {} : { 'content-type': contentType })
    for (const piece of body) {
      if (outgoing.destroyed) return
      const isFull = !outgoing.write(piece)
      if (isFull) await new Promise((resolve) => outgoing.once('drain', resolve).once('close', resolve))
      // Pieces that are written in one tick would arrive as one.
      else if (body.length > 1) await new Promise(setImmediate)
    }
    outgoing.end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play: (...next) => {
      answers = next
    },
    reset: () => {
      requests.length = 0
      answers = []
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The bytes of a body in writes of `size` bytes. */
export function inWrites(body: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < body.length; at += size) pieces.push(body.subarray(at, at + size))
  return pieces
}
