import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { TokenVerifier } from 'livekit-server-sdk'
import { DoubleCalls } from './double-calls.ts'
import { type DoubleRoom, DoubleRooms } from './double-rooms.ts'
import { DoubleError, isWireObject, type WireObject } from './double-wire.ts'
import { signWebhook } from './sign-webhook.ts'

/** A fault in place of a response, or before it. */
export type DoubleFault =
  /** The connection is closed without a response. */
  | { kind: 'hang_up' }
  /** The response is delayed. */
  | { kind: 'delay'; ms: number }
  /** The request is carried out without a response. */
  | { kind: 'black_hole' }
  | { kind: 'status'; status: number; code: string; message: string }

/** Methods of LiveKit's services that the double implements, and `GET /`. */
export type DoubleMethod =
  | 'health'
  | 'CreateRoom'
  | 'DeleteRoom'
  | 'ListDispatch'
  | 'CreateDispatch'
  | 'DeleteDispatch'
  | 'RemoveParticipant'
  | 'CreateSIPOutboundTrunk'
  | 'DeleteSIPTrunk'
  | 'CreateSIPParticipant'

/** A LiveKit server without media: its HTTP API over rooms in memory. */
export interface TwirpDouble extends AsyncDisposable {
  readonly httpUrl: string
  /** A page that responds like the SIP bridge's health page, with `bridgeStatus`. */
  readonly sipHealthUrl: string
  readonly apiKey: string
  readonly apiSecret: string
  /** Every accepted request in the order of arrival. */
  readonly requests: readonly { method: string; body: WireObject }[]
  /** The HTTP status of the bridge's health page; 200 unless set. */
  bridgeStatus: number
  readonly calls: DoubleCalls
  rooms(): readonly DoubleRoom[]
  room(roomName: string): DoubleRoom | undefined
  /** Ends the room without a webhook, as when its media node dies. */
  loseRoom(roomName: string): void
  /** Deletes the trunks, as a flush of Redis does. */
  loseTrunks(): void
  /** Makes a method fail from now on, all of them for `*`; null ends the fault. */
  fault(method: DoubleMethod | '*', fault: DoubleFault | null): void
  /** Refuses connections until `listen`. */
  stop(): Promise<void>
  /** Listens again, on the same port. */
  listen(): Promise<void>
  /** Posts a signed webhook and returns the HTTP status. */
  sendWebhook(url: string, event: WireObject): Promise<number>
}

const API_KEY = 'devkey'
const API_SECRET = 'double-secret-0123456789abcdef0123456789'

/** Starts a double on a free port of 127.0.0.1. */
export async function startTwirpDouble(): Promise<TwirpDouble> {
  const double = new Double()
  await double.listen()
  return double
}

class Double implements TwirpDouble {
  readonly apiKey = API_KEY
  readonly apiSecret = API_SECRET
  readonly requests: { method: string; body: WireObject }[] = []
  readonly calls = new DoubleCalls()
  bridgeStatus = 200
  readonly #rooms = new DoubleRooms()
  readonly #verifier = new TokenVerifier(API_KEY, API_SECRET)
  readonly #faults = new Map<string, DoubleFault>()
  #server: Server | null = null
  #port = 0
  readonly #methods: Record<
    Exclude<DoubleMethod, 'health'>,
    (body: WireObject) => WireObject | Promise<WireObject>
  > = {
    CreateRoom: (body) => this.#rooms.create(body),
    DeleteRoom: (body) => this.#rooms.delete(body),
    ListDispatch: (body) => this.#rooms.listDispatches(body),
    CreateDispatch: (body) => this.#rooms.createDispatch(body),
    DeleteDispatch: (body) => this.#rooms.deleteDispatch(body),
    RemoveParticipant: (body) => this.#rooms.removeParticipant(body),
    CreateSIPOutboundTrunk: (body) => this.calls.provision(body),
    DeleteSIPTrunk: (body) => this.calls.removeTrunk(body),
    CreateSIPParticipant: (body) => this.calls.dial(body),
  }

  constructor() {
    this.#rooms.onEnded = (roomName) => this.calls.end(roomName)
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get sipHealthUrl(): string {
    return `${this.httpUrl}/bridge-health`
  }

  rooms(): readonly DoubleRoom[] {
    return this.#rooms.list()
  }

  room(roomName: string): DoubleRoom | undefined {
    return this.rooms().find((room) => room.name === roomName)
  }

  loseRoom(roomName: string): void {
    this.#rooms.lose(roomName)
  }

  loseTrunks(): void {
    this.calls.trunks.clear()
  }

  fault(method: DoubleMethod | '*', fault: DoubleFault | null): void {
    if (fault === null) this.#faults.delete(method)
    else this.#faults.set(method, fault)
  }

  async listen(): Promise<void> {
    if (this.#server !== null) return
    const server = createServer((request, response) => void this.#serve(request, response))
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  async sendWebhook(url: string, event: WireObject): Promise<number> {
    const { rawBody, authorization } = await signWebhook(this, event)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/webhook+json', authorization },
      body: rawBody,
    })
    await answer.body?.cancel()
    return answer.status
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    if (path === '/bridge-health') {
      response.writeHead(this.bridgeStatus).end()
      return
    }
    const method = path === '/' ? 'health' : path.slice(path.lastIndexOf('/') + 1)
    const fault = this.#faults.get(method) ?? this.#faults.get('*')
    try {
      if (fault?.kind === 'hang_up') {
        request.socket.destroy()
        return
      }
      if (fault?.kind === 'status') throw new DoubleError(fault.status, fault.code, fault.message)
      if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms))
      const answer = await this.#answer(method, request)
      if (fault?.kind === 'black_hole') return
      send(response, 200, answer)
    } catch (error) {
      if (fault?.kind === 'black_hole') return
      sendError(response, error)
    }
  }

  async #answer(method: string, request: IncomingMessage): Promise<WireObject | string> {
    if (method === 'health') return 'OK'
    const body = await readBody(request)
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    await this.#verifier.verify(token).catch(() => {
      throw new DoubleError(401, 'unauthenticated', 'permissions denied')
    })
    for (const [name, act] of Object.entries(this.#methods)) {
      if (name !== method) continue
      this.requests.push({ method, body })
      return act(body)
    }
    throw new DoubleError(404, 'bad_route', `no handler for path ${request.url}`)
  }
}

async function readBody(request: IncomingMessage): Promise<WireObject> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const body: unknown = JSON.parse(text)
  if (!isWireObject(body)) throw new DoubleError(400, 'malformed', 'the body is not an object')
  return body
}

function send(response: ServerResponse, status: number, answer: WireObject | string): void {
  if (typeof answer === 'string') response.writeHead(status).end(answer)
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

function sendError(response: ServerResponse, error: unknown): void {
  if (!(error instanceof DoubleError)) throw error
  const { status, code, message, meta } = error
  send(response, status, { code, msg: message, ...(meta === undefined ? {} : { meta }) })
}
