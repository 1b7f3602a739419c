import type { RunId, StreamEvent, StreamEventName } from '@troupe/contract'
import type { StoredEvent } from '../ports/run-store.ts'
import type { EventLog } from './event-log.ts'

type EventOf<N extends StreamEventName> = Extract<StreamEvent, { event: N }>
/** An event as its emitter passes it, without the envelope. */
export type EventPayload<N extends StreamEventName> = OmitEach<
  EventOf<N>,
  'event' | 'runId' | 'seq' | 'createdAt'
>
/** `Omit` applied to every member of a union. */
export type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** Reads a stream live. Called in the tick in which the event is emitted; must not throw. */
export type EventListener = (event: StreamEvent) => void

/**
 * The events of one streaming run or job: numbers them, and passes them to the live reader in the same tick
 * and to the log. The terminal event is an exception: it is written in the statement that ends the run, and
 * shown only after that commit.
 */
export class RunEvents {
  readonly #runId: RunId
  readonly #log: EventLog
  readonly #listener: EventListener | null
  readonly #now: () => number
  #seq: number
  /** Events emitted while the run's row is being written; they follow `RunStarted`. */
  #early: Array<() => void> | null = []
  /** The unwritten end of the log, kept until an end of the run has been committed. */
  #tail: StoredEvent[] | null = null

  /** `lastSeq`: the last number used by an earlier slice of a job; the stream is then already open. */
  constructor(options: {
    runId: RunId
    log: EventLog
    listener: EventListener | null
    now: () => number
    lastSeq?: number
  }) {
    this.#seq = options.lastSeq ?? 0
    if (this.#seq > 0) this.#early = null
    this.#runId = options.runId
    this.#log = options.log
    this.#listener = options.listener
    this.#now = options.now
  }

  /** Opens the stream: called once the run's row is committed. */
  start(payload: EventPayload<'RunStarted'>): void {
    const early = this.#early ?? []
    this.#early = null
    this.emit('RunStarted', payload)
    for (const emit of early) emit()
  }

  emit<N extends StreamEventName>(name: N, payload: EventPayload<N>): void {
    if (this.#early) {
      this.#early.push(() => this.emit(name, payload))
      return
    }
    const event = this.#envelope(name, payload)
    this.#listener?.(event)
    const { event: _, seq, ...data } = event
    this.#log.add(name, seq, data, event.event === 'RunContent' ? event.delta : null)
  }

  /** Stores the pending events together with other data; see {@link EventLog.commitWith}. */
  commitWith<T>(write: (rows: readonly StoredEvent[]) => Promise<T>): Promise<T> {
    return this.#log.commitWith(write)
  }

  /** Writes the pending log rows. */
  async flush(): Promise<void> {
    await this.#log.flush()
  }

  /**
   * The rows that end the log with this event, and a function that shows it after their commit. May be called
   * again with another event when the first end was overruled: nothing of the first was then written.
   */
  async end<N extends StreamEventName>(
    name: N,
    payload: EventPayload<N>,
  ): Promise<{ rows: StoredEvent[]; show(): void }> {
    if (this.#tail) this.#seq -= 1
    this.#tail = [...(this.#tail ?? []), ...(await this.#log.takeTail())]
    const event = this.#envelope(name, payload)
    const { event: _, seq, ...data } = event
    return {
      rows: [...this.#tail, { seqFrom: seq, seq, event: name, data, cuts: null }],
      show: () => this.#listener?.(event),
    }
  }

  #envelope<N extends StreamEventName>(name: N, payload: EventPayload<N>): StreamEvent {
    this.#seq += 1
    const createdAt = Math.floor(this.#now() / 1000)
    return {
      event: name,
      runId: this.#runId,
      seq: this.#seq,
      createdAt,
      ...payload,
    } as unknown as StreamEvent
  }
}
