import { shortId } from './double-rooms.ts'
import { DoubleError, durationMs, textOf, type WireObject } from './double-wire.ts'

/** The reaction of the called side. */
export type CallScript =
  /** Rings for `afterMs` (default 0), then answers. */
  | { answer: true; afterMs?: number }
  /** Rings for `afterMs`, then answers with a final SIP status. */
  | { sipStatus: number; phrase: string; afterMs?: number }
  /** Rings until the caller gives up. */
  | { ring: true }
  /** An error of the bridge or the server that carries no SIP status. */
  | { status: number; code: string; message: string }

/** The HTTP status and the code with which a bridge reports a SIP status. */
function reported(sipStatus: number): [status: number, code: string] {
  switch (sipStatus) {
    case 404:
      return [404, 'not_found']
    case 486:
    case 480:
      return [429, 'resource_exhausted']
    case 603:
    case 403:
      return [403, 'permission_denied']
    default:
      return sipStatus >= 500 ? [412, 'failed_precondition'] : [400, 'invalid_argument']
  }
}

const NO_TRUNK = new DoubleError(404, 'not_found', 'requested sip trunk does not exist')

/** The trunks and calls of a double. */
export class DoubleCalls {
  /** Each trunk as it was requested, in LiveKit's JSON, by its id. */
  readonly trunks = new Map<string, WireObject>()
  /** The request of each dialed call. */
  readonly dialed: WireObject[] = []
  /** The reaction to each call; answers at once by default. */
  script: (call: WireObject) => CallScript = () => ({ answer: true })
  /** Ringing calls by room: each is cancelled when its room ends. */
  readonly #ringing = new Map<string, Set<() => void>>()

  provision(body: WireObject): WireObject {
    const trunk = body.trunk
    if (typeof trunk !== 'object' || trunk === null)
      throw new DoubleError(400, 'invalid_argument', 'missing trunk')
    const sipTrunkId = `ST_${shortId()}`
    this.trunks.set(sipTrunkId, { ...trunk })
    return { ...trunk, sipTrunkId }
  }

  removeTrunk(body: WireObject): WireObject {
    if (!this.trunks.delete(textOf(body, 'sipTrunkId'))) throw NO_TRUNK
    return {}
  }

  async dial(body: WireObject): Promise<WireObject> {
    this.dialed.push(body)
    if (!this.trunks.has(textOf(body, 'sipTrunkId'))) throw NO_TRUNK
    const script = this.script(body)
    if ('code' in script) throw new DoubleError(script.status, script.code, script.message)
    const limitMs = durationMs(body, 'ringingTimeout') ?? 30_000
    const afterMs = 'ring' in script ? limitMs : Math.min(script.afterMs ?? 0, limitMs)
    const wasCanceled = await this.#ring(textOf(body, 'roomName'), afterMs)
    if (wasCanceled || 'ring' in script || (script.afterMs ?? 0) > limitMs) {
      throw new DoubleError(408, 'canceled', 'twirp error unknown: sip request timed out')
    }
    if ('sipStatus' in script) {
      const [status, code] = reported(script.sipStatus)
      throw new DoubleError(
        status,
        code,
        `twirp error unknown: INVITE failed: sip status: ${script.sipStatus}`,
        {
          sip_status_code: String(script.sipStatus),
          sip_status: script.phrase,
        },
      )
    }
    return {
      participantId: `PA_${shortId()}`,
      participantIdentity: textOf(body, 'participantIdentity'),
      roomName: textOf(body, 'roomName'),
      sipCallId: `SCL_${shortId()}`,
    }
  }

  /** Cancels ringing calls of the room. */
  end(roomName: string): void {
    for (const cancel of this.#ringing.get(roomName) ?? []) cancel()
  }

  /** Resolves after the time, or at once when the room ends; true: the room ended. */
  #ring(roomName: string, ms: number): Promise<boolean> {
    if (ms === 0) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const cancel = () => resolve(true)
    const timer = setTimeout(() => resolve(false), ms)
    const calls = this.#ringing.get(roomName) ?? new Set()
    this.#ringing.set(roomName, calls.add(cancel))
    return promise.finally(() => {
      clearTimeout(timer)
      calls.delete(cancel)
    })
  }
}
