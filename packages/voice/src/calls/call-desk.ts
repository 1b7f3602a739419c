import { setTimeout as pause } from 'node:timers/promises'
import type { VoiceSessionId } from '@troupe/contract'
import { untilFound, type WakeSource } from '@troupe/durable-work'
import type { VoiceSessionKey } from '../sessions/session.ts'
import type { CallOutcome } from './call-outcome.ts'
import { outcomeOfCall } from './call-outcome.ts'
import type { CallParts } from './call-parts.ts'
import { REFUSALS, UNAVAILABLE } from './call-refusal.ts'
import type { CallRequest } from './call-request.ts'
import type { HeldCall } from './call-store.ts'
import { checkCall } from './check-call.ts'
import { type OpenedCall, openCall } from './open-call.ts'
import { cancelCall, ring } from './ring.ts'

/** The interval at which a waiting request renews its mark, which expires after `WAITER_MS`. */
const TOUCH_MS = 500
const WAITER_MS = 2_000

/** The calls that this process dials, and the requests that wait for them. */
export class CallDesk {
  readonly #parts: CallParts
  /**
   * Requests that wait for calls of earlier requests, by session: the end of a call dialed by this process wakes them.
   */
  readonly #joined = new Map<string, Set<() => void>>()
  /** Requests that have not been answered yet. */
  readonly #waiting = new Set<Promise<CallOutcome>>()
  #isDraining = false

  constructor(parts: CallParts) {
    this.#parts = parts
  }

  /** Places a call and resolves with its outcome; a request with a known `Idempotency-Key` gets the outcome of that key's call. */
  async place(request: CallRequest): Promise<CallOutcome> {
    const outcome = this.#place(request)
    this.#waiting.add(outcome)
    try {
      return await outcome
    } finally {
      this.#waiting.delete(outcome)
    }
  }

  async #place(request: CallRequest): Promise<CallOutcome> {
    const { idempotency } = request
    if (idempotency) {
      const held = await this.#parts.calls.held(request.apiKeyId, idempotency, new Date(this.#parts.now()))
      if (held) return this.#join(request, held)
    }
    const checked = await checkCall(this.#parts, request)
    if ('refusal' in checked) return { kind: 'refused', refusal: checked.refusal }
    // Refuse calls that this process would not live to dial. The drain waits for calls past this line.
    if (this.#isDraining) return { kind: 'refused', refusal: UNAVAILABLE }
    const opening = await openCall(this.#parts, request, checked.call)
    if (opening.kind === 'held') return this.#join(request, opening.held)
    if (opening.kind === 'refused') return { kind: 'refused', refusal: opening.refusal }
    return this.#dial(request, opening.call)
  }

  /** Places no further call, and waits at most `waitMs` milliseconds until every request is answered. */
  async drain(waitMs: number): Promise<void> {
    this.#isDraining = true
    const over = new AbortController()
    const late = pause(waitMs, undefined, { signal: over.signal }).catch(() => undefined)
    let isLate = false
    void late.then(() => {
      isLate = true
    })
    while (this.#waiting.size > 0 && !isLate) await Promise.race([Promise.allSettled(this.#waiting), late])
    over.abort()
  }

  async #dial(request: CallRequest, opened: OpenedCall): Promise<CallOutcome> {
    const { id } = opened.row
    const outcome = ring(this.#parts, opened)
    const over = new AbortController()
    const watch = this.#cancelWhenLeft(request.signal, opened, over.signal)
    try {
      return await outcome
    } finally {
      over.abort()
      for (const wake of this.#joined.get(id) ?? []) wake()
      await watch
    }
  }

  /** Cancels the call once its client has left and no other request waits for it. */
  async #cancelWhenLeft(client: AbortSignal, opened: OpenedCall, over: AbortSignal): Promise<void> {
    await aborted(client, over)
    const waiting = { wakenBy: [], pollMs: TOUCH_MS, abort: over }
    // An unreachable database only skips a round; the deadline of the phase ends the call if it stays
    // unreachable.
    const canceled = async () => (await this.#cancelUnlessAwaited(opened).catch(() => false)) || null
    // The wait throws only when the call is over.
    await untilFound(waiting, canceled).catch(() => null)
  }

  /** Whether the call needs no further check: no request waited for it, so it was canceled. */
  async #cancelUnlessAwaited(opened: OpenedCall): Promise<boolean> {
    const row = await this.#parts.sessions.byKey(opened.row)
    const waiterAt = row?.waiterSeenAt?.getTime() ?? 0
    if (this.#parts.now() - waiterAt < WAITER_MS) return false
    await cancelCall(this.#parts, opened)
    return true
  }

  /** Waits for the call of an earlier request with the same key. */
  async #join(request: CallRequest, { sessionId, bodyHash }: HeldCall): Promise<CallOutcome> {
    const { calls, sessions, now } = this.#parts
    if (bodyHash !== request.idempotency?.bodyHash) return { kind: 'refused', refusal: REFUSALS.otherBody }
    const key: VoiceSessionKey = { organizationId: request.organizationId, id: sessionId }
    const client = request.signal
    const wakenBy = [onAbort(client), this.#onEndHere(sessionId)]
    const outcome = await untilFound<CallOutcome>({ wakenBy, pollMs: TOUCH_MS, now }, async () => {
      const row = await sessions.byKey(key)
      if (!row) return { kind: 'refused', refusal: UNAVAILABLE }
      const found = outcomeOfCall(row, now())
      if (found) return found
      // After the read, so that a client that leaves at the end of a call gets its outcome.
      if (client.aborted) return { kind: 'refused', refusal: UNAVAILABLE }
      await calls.waiterSeen(key, new Date(now()))
      return null
    })
    return outcome ?? { kind: 'refused', refusal: UNAVAILABLE }
  }

  /** If another process dials, only the row has the outcome. */
  #onEndHere(sessionId: VoiceSessionId): WakeSource {
    return (wake) => {
      const here = this.#joined.get(sessionId) ?? new Set()
      this.#joined.set(sessionId, here.add(wake))
      return () => {
        here.delete(wake)
        if (here.size === 0) this.#joined.delete(sessionId)
      }
    }
  }
}

const onAbort =
  (signal: AbortSignal): WakeSource =>
  (wake) => {
    signal.addEventListener('abort', wake)
    return () => signal.removeEventListener('abort', wake)
  }

/** Resolves when one of the signals is aborted. */
function aborted(...signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals)
  if (any.aborted) return Promise.resolve()
  return new Promise((resolve) => any.addEventListener('abort', () => resolve(), { once: true }))
}
