import {
  type Advance,
  type Delivery,
  type EngineHealth,
  EngineUnreachable,
  type RunEngine,
  Semaphore,
} from '@troupe/durable-work'
import { type Alarm, setAlarm } from './alarm.ts'
import { type EngineLog, SILENT_LOG } from './delivery/engine-log.ts'
import { redeliveryDelay } from './delivery/redelivery.ts'

/** The options of the in-process engine. */
export interface LocalEngineOptions {
  /** Maximum concurrent deliveries; 64 by default. */
  concurrency?: number
  /** Milliseconds since the epoch; the system clock by default. */
  now?: () => number
  log?: EngineLog
}

/** Wakes the delivery at its due time; null if it is not delayed. */
interface Entry {
  delivery: Delivery
  /** Consecutive rejections. */
  alarm: Alarm | null
  taken: boolean
  /** Consecutive rejections. */
  failures: number
}

/**
 * The engine of a single process: an in-memory queue without a service. Deliveries dispatched before `start`
 * wait for it; those lost with the process are dispatched again at boot from the rows. While draining it
 * throws `EngineUnreachable`.
 */
export function createLocalEngine(options: LocalEngineOptions = {}): RunEngine {
  return new LocalEngine(options)
}

class LocalEngine implements RunEngine {
  readonly #places: Semaphore
  readonly #now: () => number
  readonly #log: EngineLog
  readonly #entries = new Map<string, Entry>()
  #advance: Advance | null = null
  #draining = false

  constructor({ concurrency = 64, now = Date.now, log = SILENT_LOG }: LocalEngineOptions) {
    this.#places = new Semaphore(concurrency)
    this.#now = now
    this.#log = log
  }

  async start(advance: Advance): Promise<void> {
    if (this.#advance) throw new Error('The engine was started before.')
    this.#advance = advance
    for (const entry of this.#entries.values()) if (!entry.alarm) this.#enqueue(entry)
  }

  async dispatch(delivery: Delivery, { dueAt = 0 }: { dueAt?: number } = {}): Promise<void> {
    if (this.#draining) throw new EngineUnreachable('This process is stopping and accepts no more runs.')
    const key = keyOf(delivery)
    if (this.#entries.has(key)) return
    const entry: Entry = { delivery, alarm: null, taken: false, failures: 0 }
    this.#entries.set(key, entry)
    if (dueAt > this.#now()) this.#enqueueAt(entry, dueAt)
    else this.#enqueue(entry)
  }

  async drop(delivery: Delivery): Promise<void> {
    const entry = this.#entries.get(keyOf(delivery))
    if (entry && !entry.taken) this.#forget(entry)
  }

  place(): (() => void) | null {
    return this.#advance && !this.#draining ? this.#places.tryEnter() : null
  }

  async health(): Promise<EngineHealth> {
    return this.#draining ? { healthy: false, reason: 'This process is stopping.' } : { healthy: true }
  }

  async drain(): Promise<void> {
    this.#draining = true
    for (const entry of this.#entries.values()) if (!entry.taken) this.#forget(entry)
    await this.#places.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain()
  }

  #enqueueAt(entry: Entry, at: number): void {
    entry.alarm = setAlarm(at, this.#now, () => {
      entry.alarm = null
      this.#enqueue(entry)
    })
  }

  #enqueue(entry: Entry): void {
    const advance = this.#advance
    if (!advance) return
    // Only a closed semaphore rejects: the row stays due.
    this.#places.run(() => this.#take(entry, advance)).catch(() => {})
  }

  async #take(entry: Entry, advance: Advance): Promise<void> {
    // The delivery may have been withdrawn while it waited for a slot.
    if (this.#entries.get(keyOf(entry.delivery)) !== entry) return
    entry.taken = true
    try {
      await advance(entry.delivery)
      this.#forget(entry)
    } catch (err) {
      this.#repeat(entry, err)
    }
  }

  #repeat(entry: Entry, err: unknown): void {
    const { runId, slice } = entry.delivery
    entry.taken = false
    entry.failures += 1
    this.#log.warn({ runId, slice, failures: entry.failures, err }, 'a delivery was rejected')
    if (this.#draining) this.#forget(entry)
    else this.#enqueueAt(entry, this.#now() + redeliveryDelay(entry.failures))
  }

  #forget(entry: Entry): void {
    entry.alarm?.cancel()
    this.#entries.delete(keyOf(entry.delivery))
  }
}

function keyOf({ lane, runId, slice }: Delivery): string {
  return `${lane}:${runId}:${slice}`
}
