import type { ServerResponse } from 'node:http'
import type { StreamEvent } from '@troupe/contract'

const RETRY_MS = 3_000
const PING_MS = 15_000
/** A reader that lets this many bytes pile up is cut off; it can resume from its last event. */
const MAX_BUFFERED_BYTES = 1024 * 1024

/**
 * A server-sent event stream on a raw response. Events are written in the tick in which they come; a comment every 15
 * seconds keeps proxies from closing it.
 */
export class EventStream {
  readonly #response: ServerResponse
  readonly #ping: NodeJS.Timeout

  constructor(response: ServerResponse, headers: NodeJS.Dict<number | string | string[]>) {
    this.#response = response
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    response.write(`retry: ${RETRY_MS}\n\n`)
    response.socket?.setNoDelay(true)
    this.#ping = setInterval(() => this.#write(': ping\n\n'), PING_MS).unref()
    response.once('close', () => clearInterval(this.#ping))
  }

  send(event: StreamEvent): void {
    this.#write(`id: ${event.seq}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`)
  }

  #write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return
    this.#response.write(text)
    if (this.#response.writableLength > MAX_BUFFERED_BYTES) this.#response.destroy()
  }

  end(): void {
    clearInterval(this.#ping)
    this.#response.end()
  }
}
