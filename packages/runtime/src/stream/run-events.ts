import type { RunId, StreamEvent, StreamEventName } from '@troupe/contract'
import type { StoredEvent } from '../ports/run-store.ts'
import type { EventLog } from './event-log.ts'

type EventOf<N extends StreamEventName> = Extract<StreamEvent, { event: N }>
/** What the emitter of an event gives; the envelope is added. */
export type EventPayload<N extends StreamEventName> = Omit<
  EventOf<N>,
  'event' | 'runId' | 'seq' | 'createdAt'
>

/** Reads a stream live. Called in the tick in which the event arises; must not throw. */
export type EventListener = (event: StreamEvent) => void

/**
 * The events of one streaming run: numbers them, hands them to the live reader in the same tick and to the log. The
 * terminal event is different: it is written in the statement that ends the run, and shown only when that committed.
 */
export class RunEvents {
  readonly #runId: RunId
  readonly #log: EventLog
  readonly #listener: EventListener
  readonly #now: () => number
  #seq = 0
  /** Events that arose beside the write of the run's row; they follow `RunStarted`. */
  #early: Array<() => void> | null = []
  /** The unwritten end of the log, kept until an end of the run has been committed. */
  #tail: StoredEvent[] | null = null

  constructor(options: { runId: RunId; log: EventLog; listener: EventListener; now: () => number }) {
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
    this.#listener(event)
    const { event: _, seq, ...data } = event as StreamEvent & Record<string, unknown>
    this.#log.add(name, seq, data, event.event === 'RunContent' ? event.delta : null)
  }

  /**
   * The rows that end the log with this event, and the way to show it once they are committed. May be called again with
   * another event when the first end was overruled: then nothing of the first was written.
   */
  async end<N extends StreamEventName>(
    name: N,
    payload: EventPayload<N>,
  ): Promise<{ rows: StoredEvent[]; show(): void }> {
    if (this.#tail) this.#seq -= 1
    this.#tail = [...(this.#tail ?? []), ...(await this.#log.takeTail())]
    const event = this.#envelope(name, payload)
    const { event: _, seq, ...data } = event as StreamEvent & Record<string, unknown>
    return {
      rows: [...this.#tail, { seqFrom: seq, seq, event: name, data, cuts: null }],
      show: () => this.#listener(event),
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
