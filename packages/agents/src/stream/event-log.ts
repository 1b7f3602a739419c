import type { OrganizationId, RunId } from '@troupe/contract'
import type { Signals, TurnFence } from '@troupe/durable-work'
import type { RunStore, StoredEvent } from '../ports/run-store.ts'
import type { RunTelemetry } from '../ports/run-telemetry.ts'

const JOIN_MS = 50
const JOIN_CHARACTERS = 256

interface PendingRow {
  seqFrom: number
  seq: number
  event: string
  data: Record<string, unknown>
  cuts: number[] | null
}

/** The dependencies of an event log. */
export interface EventLogTarget {
  store: Pick<RunStore, 'appendEvents'>
  signals: Signals
  telemetry: RunTelemetry
  runId: RunId
  organizationId: OrganizationId
  /** null for runs bound to one process. */
  fence: TurnFence | null
}

/**
 * The durable copy of a stream. Live readers get every delta immediately; the log joins neighbouring deltas
 * of a message (50 ms or 256 characters) into one row. Batches are written sequentially, so rows appear in
 * order; a failed batch stays first and is retried with the next one, at the latest in the statement that
 * ends the run.
 */
export class EventLog {
  readonly #target: EventLogTarget
  #pending: PendingRow[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(target: EventLogTarget) {
    this.#target = target
  }

  /** Adds an event; `delta` is the text of a `RunContent`, which may join the previous row. */
  add(event: string, seq: number, data: Record<string, unknown>, delta: string | null): void {
    if (delta === null || !this.#join(event, seq, data, delta)) {
      this.#pending.push({ seqFrom: seq, seq, event, data, cuts: delta === null ? null : [delta.length] })
    }
    this.#timer ??= setTimeout(() => this.#flushLater(), JOIN_MS)
  }

  #join(event: string, seq: number, data: Record<string, unknown>, delta: string): boolean {
    const last = this.#pending.at(-1)
    if (!last?.cuts || last.event !== event || last.data.messageId !== data.messageId) return false
    // A replayed delta takes its timestamp from the row, so only deltas with the same timestamp may join.
    if (last.data.channel !== data.channel || last.data.createdAt !== data.createdAt) return false
    const length = last.cuts.at(-1) ?? 0
    if (length >= JOIN_CHARACTERS) return false
    last.data = { ...last.data, delta: `${last.data.delta}${delta}` }
    last.cuts.push(length + delta.length)
    last.seq = seq
    return true
  }

  #flushLater(): void {
    this.#timer = null
    const { store, signals, telemetry, runId, organizationId, fence } = this.#target
    this.#writing = this.#writing.then(async () => {
      const batch = this.#pending
      if (batch.length === 0) return
      this.#pending = []
      try {
        await store.appendEvents(runId, organizationId, batch, fence)
        await signals.publish({ kind: 'run_events', runId })
      } catch (error) {
        this.#pending = [...batch, ...this.#pending]
        telemetry.backgroundFailed('event log', error)
      }
    })
  }

  /**
   * Writes the pending rows with `write`, which stores them together with other data. Waits for the running
   * batch, and later batches wait for it: a reader that has seen a number has seen all earlier ones. When
   * `write` throws, the rows stay pending.
   */
  commitWith<T>(write: (rows: readonly StoredEvent[]) => Promise<T>): Promise<T> {
    const committed = this.#writing.then(async () => {
      const batch = this.#pending
      this.#pending = []
      try {
        return await write(batch)
      } catch (error) {
        this.#pending = [...batch, ...this.#pending]
        throw error
      }
    })
    this.#writing = committed.then(
      () => {},
      () => {},
    )
    return committed
  }

  /** Writes the pending rows now. Throws when the database fails; the rows stay pending. */
  async flush(): Promise<void> {
    const { store, runId, organizationId, fence } = this.#target
    await this.commitWith(async (rows) => {
      if (rows.length > 0) await store.appendEvents(runId, organizationId, rows, fence)
    })
  }

  /** Stops the timer, waits for the running batch and returns the unwritten rows. */
  async takeTail(): Promise<StoredEvent[]> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    await this.#writing
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const tail = this.#pending
    this.#pending = []
    return tail
  }
}
