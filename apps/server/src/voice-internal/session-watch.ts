import type { VoiceSessionId } from '@troupe/contract'
import { IN_FLIGHT_STATES, type VoiceSessionRecord } from '@troupe/voice'

/** A callee waits for the greeting after answering, so ringing calls are read at each tick. */
const TICK_MS = 200
/** Every other session is read at each fifth tick. */
const TICKS_OF_OTHERS = 5

type Listener = (session: VoiceSessionRecord | null) => void

/** Dependencies of {@link SessionWatch}. */
export interface SessionWatchParts {
  read(ids: readonly VoiceSessionId[]): Promise<VoiceSessionRecord[]>
  /** Called with the first failed read of an outage. */
  onFailure(error: unknown): void
}

interface Watched {
  latest: VoiceSessionRecord
  readonly listener: Listener
}

/**
 * Polls the rows of watched sessions: one statement per tick for all of them, and none while nothing is watched. An unavailable
 * database only skips ticks; workers also learn of an end from the responses to their heartbeats.
 */
export class SessionWatch implements Disposable {
  readonly #parts: SessionWatchParts
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | null = null
  #ticks = 0
  #isReading = false
  #hasFailed = false

  constructor(parts: SessionWatchParts) {
    this.#parts = parts
  }

  /** Calls back with each read of the row, null once it is deleted, until the returned function is called. */
  add(session: VoiceSessionRecord, listener: Listener): () => void {
    const watched: Watched = { latest: session, listener }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => void this.#tick(), TICK_MS)
    return () => {
      this.#watched.delete(watched)
      if (this.#watched.size === 0) this[Symbol.dispose]()
    }
  }

  async #tick(): Promise<void> {
    // A slow database gets no second concurrent statement.
    if (this.#isReading) return
    this.#ticks += 1
    const isForAll = this.#ticks % TICKS_OF_OTHERS === 0
    const due = [...this.#watched].filter(({ latest }) => isForAll || isRinging(latest))
    if (due.length === 0) return
    this.#isReading = true
    try {
      const rows = await this.#parts.read([...new Set(due.map(({ latest }) => latest.id))])
      this.#hasFailed = false
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const watched of due) {
        const row = byId.get(watched.latest.id) ?? null
        if (row !== null) watched.latest = row
        if (this.#watched.has(watched)) watched.listener(row)
      }
    } catch (error) {
      if (!this.#hasFailed) this.#parts.onFailure(error)
      this.#hasFailed = true
    } finally {
      this.#isReading = false
    }
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}

function isRinging({ kind, answeredAt, sessionState }: VoiceSessionRecord): boolean {
  return (
    kind === 'outbound_call' && answeredAt === null && IN_FLIGHT_STATES.some((one) => one === sessionState)
  )
}
