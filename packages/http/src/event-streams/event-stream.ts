import type { ServerResponse } from 'node:http'
import type { StreamEvent } from '@troupe/contract'
import { onClosed } from '../connections/on-closed.ts'

const RETRY_MS = 3_000
const PING_MS = 15_000
/** A reader whose backlog stays above this for {@link PATIENCE_MS} is disconnected; it can resume. */
const BACKLOG_BYTES = 1024 * 1024
const PATIENCE_MS = 10_000
/**
 * A backlog at which the reader is disconnected immediately. A burst of one tick, which no reader can have
 * consumed yet, stays far below.
 */
const MOST_BUFFERED_BYTES = 32 * 1024 * 1024

/** The wire format of a run's events. */
export interface EventFormat {
  /** The first text of the stream; empty for none. */
  readonly opening: string
  /** The text of an event; empty for an event without one in the format. */
  encode(event: StreamEvent): string
}

const NATIVE: EventFormat = {
  opening: `retry: ${RETRY_MS}\n\n`,
  encode: (event) => `id: ${event.seq}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`,
}

/**
 * A server-sent event stream on a raw response. Each event is written in the tick of its arrival; a comment
 * every 15 seconds keeps proxies from closing the stream.
 */
export class EventStream {
  readonly #response: ServerResponse
  readonly #format: EventFormat
  readonly #ping: NodeJS.Timeout
  #patience: NodeJS.Timeout | null = null

  constructor(
    response: ServerResponse,
    headers: NodeJS.Dict<number | string | string[]>,
    format: EventFormat = NATIVE,
  ) {
    this.#response = response
    this.#format = format
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    if (format.opening === '') response.flushHeaders()
    else response.write(format.opening)
    response.socket?.setNoDelay(true)
    this.#ping = setInterval(() => this.#write(': ping\n\n'), PING_MS).unref()
    onClosed(response, () => this.#stopTimers())
  }

  send(event: StreamEvent): void {
    const text = this.#format.encode(event)
    if (text !== '') this.#write(text)
  }

  /** Sends an event that belongs to no run. */
  sendNamed(event: string, data: object): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /**
   * Back-pressure: waits until the reader has consumed the backlog or disconnected. For a replay, which could
   * otherwise write the complete log in one burst.
   */
  async drained(): Promise<void> {
    const response = this.#response
    if (!response.writableNeedDrain || response.destroyed) return
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done)
        response.off('close', done)
        resolve()
      }
      response.on('drain', done)
      response.on('close', done)
    })
  }

  #write(text: string): void {
    const response = this.#response
    if (response.writableEnded || response.destroyed) return
    response.write(text)
    if (response.writableLength > MOST_BUFFERED_BYTES) response.destroy()
    else if (response.writableLength > BACKLOG_BYTES)
      this.#patience ??= setTimeout(() => this.#judge(), PATIENCE_MS)
  }

  #judge(): void {
    this.#patience = null
    if (this.#response.writableLength > BACKLOG_BYTES) this.#response.destroy()
  }

  #stopTimers(): void {
    clearInterval(this.#ping)
    if (this.#patience) clearTimeout(this.#patience)
  }

  end(): void {
    clearInterval(this.#ping)
    this.#response.end()
  }
}
