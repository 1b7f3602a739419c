import { propertyOf } from '@troupe/contract'
import { AnswerStream } from './answer-stream.ts'
import { McpFailure, NoProtocol, NotOpened, RpcError, SessionEnded } from './mcp-failure.ts'
import { readBody } from './read-body.ts'
import { MAX_MESSAGE_BYTES, readMessages, type ServerMessage } from './read-messages.ts'
import { statusFailure } from './status-failure.ts'
import { discard, type HttpEndpoint, mediaTypeOf, StreamableHttp } from './streamable-http.ts'

const OPEN_MS = 10_000
const CLOSE_MS = 2_000
/** The supported versions of the protocol, the newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** Maximum requests from a server while it responds to one request. */
const MAX_SERVER_REQUESTS = 100
const METHOD_NOT_FOUND = -32601

/** A request as sent. */
interface Request {
  jsonrpc: '2.0'
  id: number
  method: string
  params: Record<string, unknown>
}

/** Settles with the work, or rejects with the signal's reason. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * A session with an MCP server over Streamable HTTP. The first request opens it, and a later one opens it again if the
 * server has forgotten it. Disposing ends it.
 */
export class McpSession implements AsyncDisposable {
  readonly #endpoint: HttpEndpoint
  readonly #fetch: typeof globalThis.fetch
  readonly #closing = new AbortController()
  #opening: Promise<StreamableHttp> | null = null
  /** The session that was opened last. */
  #http: StreamableHttp | null = null
  #lastId = -1
  #reached: 'nowhere' | 'answered' | 'connected' = 'nowhere'

  /** @param fetch The guarded `fetch`. */
  constructor(endpoint: HttpEndpoint, fetch: typeof globalThis.fetch) {
    this.#endpoint = endpoint
    this.#fetch = fetch
  }

  /** `answered`: the server has sent any HTTP response; `connected`: it has opened a session. */
  get reached(): 'nowhere' | 'answered' | 'connected' {
    return this.#reached
  }

  /**
   * The result of a request, unchecked.
   *
   * @throws McpFailure, the signal's reason, errors of the fetch
   */
  async request(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const opening = this.#opened()
    try {
      return await this.#ask(await orAborted(opening, signal), method, params, signal)
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error
      // Several requests may find that the session has ended: the first opens the next session for all of them.
      if (this.#opening === opening) this.#opening = null
      return await this.#ask(await orAborted(this.#opened(), signal), method, params, signal)
    }
  }

  /** One attempt for all requests that wait for it, independent of the first one's signal. */
  #opened(): Promise<StreamableHttp> {
    if (this.#opening) return this.#opening
    const opening = this.#open()
    this.#opening = opening
    opening.then(
      (http) => {
        this.#http = http
      },
      () => {
        if (this.#opening === opening) this.#opening = null
      },
    )
    return opening
  }

  async #open(): Promise<StreamableHttp> {
    const timeout = AbortSignal.timeout(OPEN_MS)
    const signal = AbortSignal.any([this.#closing.signal, timeout])
    const http = new StreamableHttp(this.#endpoint, this.#fetch, () => {
      if (this.#reached === 'nowhere') this.#reached = 'answered'
    })
    try {
      const version = await this.#initialize(http, signal)
      http.use(version)
      const response = await http.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, signal)
      if (!response.ok) throw await this.#statusFailure(response, http)
      await discard(response)
      this.#reached = 'connected'
      return http
    } catch (error) {
      if (!timeout.aborted) throw new NotOpened(error)
      throw new NotOpened(new McpFailure('refused', `It did not answer within ${OPEN_MS / 1000} s.`))
    }
  }

  /** The negotiated version. */
  async #initialize(http: StreamableHttp, signal: AbortSignal): Promise<string> {
    const clientInfo = { name: 'troupe', version: '1.0.0' }
    const params = { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo }
    const result = await this.#exchange(http, this.#request('initialize', params), signal)
    const version = propertyOf(result, 'protocolVersion')
    if (typeof version !== 'string') throw new NoProtocol()
    if (VERSIONS.includes(version)) return version
    throw new McpFailure(
      'refused',
      `It speaks version ${version.slice(0, 40)} of MCP, which is not supported.`,
    )
  }

  #request(method: string, params: Record<string, unknown>): Request {
    this.#lastId += 1
    return { jsonrpc: '2.0', id: this.#lastId, method, params }
  }

  /** A request within a session; cancelled if the caller aborts it. */
  async #ask(
    http: StreamableHttp,
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const request = this.#request(method, params)
    try {
      return await this.#exchange(http, request, AbortSignal.any([signal, this.#closing.signal]))
    } catch (error) {
      if (signal.aborted) {
        const cancelled = { requestId: request.id }
        this.#notify(http, { jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled })
      }
      throw error
    }
  }

  async #exchange(http: StreamableHttp, request: Request, signal: AbortSignal): Promise<unknown> {
    const response = await http.post(request, signal)
    if (!response.ok) throw await this.#statusFailure(response, http)
    const answer = await this.#answerTo(request, http, response, signal)
    if (answer.kind === 'error') throw new RpcError(answer.code, answer.message)
    return answer.result
  }

  #statusFailure(response: Response, { hasSessionId }: StreamableHttp): Promise<McpFailure> {
    const isConnected = this.#reached === 'connected'
    return statusFailure(response, { isConnected, hasSession: hasSessionId })
  }

  async #answerTo(
    { id, method }: Request,
    http: StreamableHttp,
    response: Response,
    signal: AbortSignal,
  ): Promise<Exclude<ServerMessage, { kind: 'request' }>> {
    let answer: Exclude<ServerMessage, { kind: 'request' }> | null = null
    let asked = 0
    const take = (message: ServerMessage): boolean => {
      if (message.kind === 'request') {
        asked += 1
        if (asked <= MAX_SERVER_REQUESTS) this.#reply(http, message)
        return false
      }
      // An error without an id refers to a message that the server could not read, which must be this one.
      const isOurs = message.id === null || String(message.id) === String(id)
      if (isOurs) answer = message
      return isOurs
    }
    if (mediaTypeOf(response) === 'text/event-stream') {
      await new AnswerStream(http, signal, { method, take }).read(response)
    } else {
      // Accepted with any type: a message is recognised by its form, and the call has been executed.
      const read = readMessages(await readBody(response, MAX_MESSAGE_BYTES), method)
      if (!read.ok) throw new McpFailure('lost', read.fault)
      read.messages.some(take)
    }
    if (answer === null) throw new NoProtocol()
    return answer
  }

  /** Answers pings; other requests of servers are refused. */
  #reply(http: StreamableHttp, { id, method }: Extract<ServerMessage, { kind: 'request' }>): void {
    const error = { code: METHOD_NOT_FOUND, message: 'Method not found' }
    this.#notify(http, method === 'ping' ? { jsonrpc: '2.0', id, result: {} } : { jsonrpc: '2.0', id, error })
  }

  /** Sends a message without waiting for a response; whether it arrives makes no difference here. */
  #notify(http: StreamableHttp, message: object): void {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(OPEN_MS)])
    http.post(message, signal).then(discard, () => {})
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#http?.end(AbortSignal.timeout(CLOSE_MS)).catch(() => {})
    } finally {
      this.#closing.abort()
    }
  }
}
