import { setTimeout as pause } from 'node:timers/promises'
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
  /** Outcomes of the calls under way, by session. */
  readonly #ringing = new Map<string, Promise<CallOutcome>>()
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
    // The phone would ring for a process that has ended. Calls past this line are waited for.
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
    this.#ringing.set(id, outcome)
    const over = new AbortController()
    const watch = this.#cancelWhenLeft(request.signal, opened, over.signal)
    try {
      return await outcome
    } finally {
      over.abort()
      this.#ringing.delete(id)
      await watch
    }
  }

  /** Cancels the call once its client has left and no other request waits for it. */
  async #cancelWhenLeft(client: AbortSignal, opened: OpenedCall, over: AbortSignal): Promise<void> {
    await aborted(client, over)
    // An unreachable database costs a round; the deadline of the phase ends the call if it stays unreachable.
    while (!over.aborted && !(await this.#cancelUnlessAwaited(opened).catch(() => false))) {
      await pause(TOUCH_MS, null, { signal: over }).catch(() => null)
    }
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
    for (;;) {
      const row = await sessions.byKey(key)
      if (!row) return { kind: 'refused', refusal: UNAVAILABLE }
      const outcome = outcomeOfCall(row, now())
      if (outcome) return outcome
      if (request.signal.aborted) return { kind: 'refused', refusal: UNAVAILABLE }
      await calls.waiterSeen(key, new Date(now()))
      // If another process dials, only the row has the outcome.
      const ringing = this.#ringing.get(sessionId)
      await Promise.race([pause(TOUCH_MS), ...(ringing ? [ringing.catch(() => null)] : [])])
    }
  }
}

/** Resolves when one of the signals is aborted. */
function aborted(...signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals)
  if (any.aborted) return Promise.resolve()
  return new Promise((resolve) => any.addEventListener('abort', () => resolve(), { once: true }))
}
