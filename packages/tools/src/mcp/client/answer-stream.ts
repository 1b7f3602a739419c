import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { McpFailure } from './mcp-failure.ts'
import { MAX_MESSAGE_BYTES, readMessages, type ServerMessage } from './read-messages.ts'
import { discard, mediaTypeOf, type StreamableHttp } from './streamable-http.ts'

/** Maximum bytes of all streams of one response together: progress may be reported for a long time. */
const MAX_STREAM_BYTES = 4 * MAX_MESSAGE_BYTES
/** The reconnection time of the specification, until the server sends another one. */
const RETRY_MS = 1_000
const MIN_RETRY_MS = 50
const MAX_RETRY_MS = 60_000
const MAX_RESUMPTIONS = 1_000
/** Maximum attempts to reconnect to a server whose connection broke. */
const MAX_ATTEMPTS = 3

const tooLarge = () => new McpFailure('lost', 'Its answer is too large.')

/** The consumer of a response. */
export interface AnswerReader {
  /** The method of the request. */
  method: string
  /** Called with every message; returns true if the message was the response. */
  take(message: ServerMessage): boolean
}

/**
 * The response to one request as a stream of server-sent events. A stream that ends before the response is resumed with
 * `Last-Event-ID` after the server's reconnection time (SEP-1699), if an event had an id.
 */
export class AnswerStream {
  readonly #http: StreamableHttp
  readonly #signal: AbortSignal
  readonly #reader: AnswerReader
  #lastEventId: string | null = null
  #retryMs = RETRY_MS
  #bytes = 0

  constructor(http: StreamableHttp, signal: AbortSignal, reader: AnswerReader) {
    this.#http = http
    this.#signal = signal
    this.#reader = reader
  }

  /**
   * Reads until the response was received.
   *
   * @throws McpFailure, the signal's reason
   */
  async read(first: Response): Promise<void> {
    let response = first
    for (let resumed = 0; ; resumed += 1) {
      if (await this.#hasAnswer(response)) return
      if (this.#lastEventId === null || resumed >= MAX_RESUMPTIONS) {
        throw new McpFailure('lost', 'It closed the connection before it answered.')
      }
      response = await this.#resume(this.#lastEventId)
    }
  }

  async #hasAnswer({ body }: Response): Promise<boolean> {
    if (body === null) return false
    const read: { isAnswered: boolean; failure: McpFailure | null } = { isAnswered: false, failure: null }
    const parser = createParser({
      maxBufferSize: MAX_MESSAGE_BYTES,
      onId: (id) => {
        this.#lastEventId = id === '' ? null : id
      },
      onRetry: (ms) => {
        this.#retryMs = Math.max(MIN_RETRY_MS, ms)
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') read.failure = tooLarge()
      },
      onEvent: ({ event = 'message', data }) => {
        if (read.isAnswered || read.failure !== null || event !== 'message' || data === '') return
        const found = readMessages(data, this.#reader.method)
        if (!found.ok) read.failure = new McpFailure('lost', found.fault)
        else read.isAnswered = found.messages.some((message) => this.#reader.take(message))
      },
    })
    const decoder = new TextDecoder()
    try {
      for await (const chunk of body) {
        this.#bytes += chunk.byteLength
        if (this.#bytes > MAX_STREAM_BYTES) throw tooLarge()
        parser.feed(decoder.decode(chunk, { stream: true }))
        if (read.failure !== null) throw read.failure
        if (read.isAnswered) return true
      }
    } catch (error) {
      this.#signal.throwIfAborted()
      // A broken connection counts as an ended stream.
      if (error instanceof McpFailure || this.#lastEventId === null) throw error
    }
    return false
  }

  async #resume(lastEventId: string): Promise<Response> {
    if (this.#retryMs > MAX_RETRY_MS) {
      const seconds = Math.ceil(this.#retryMs / 1000)
      throw new McpFailure(
        'lost',
        `It closed the connection before it responded, and requested a retry after ${seconds} s.`,
      )
    }
    for (let attempt = 1; ; attempt += 1) {
      await this.#pause()
      try {
        const response = await this.#http.resume(lastEventId, this.#signal)
        if (response.ok && mediaTypeOf(response) === 'text/event-stream') return response
        await discard(response)
        const how = `and did not resume its answer: status ${response.status}`
        throw new McpFailure('lost', `It closed the connection before it answered, ${how}.`)
      } catch (error) {
        this.#signal.throwIfAborted()
        if (error instanceof McpFailure || attempt >= MAX_ATTEMPTS) throw error
      }
    }
  }

  async #pause(): Promise<void> {
    try {
      await sleep(this.#retryMs, undefined, { signal: this.#signal })
    } catch (error) {
      this.#signal.throwIfAborted()
      throw error
    }
  }
}
