import { type Advance, type Delivery, EngineUnreachable, type RunEngine } from '@troupe/durable-work'

/** An engine controlled by a test: it accepts deliveries and delivers them on request. */
export class HeldEngine implements RunEngine {
  /** While true, every submission fails. */
  down = false
  /** Submitted deliveries that are not delivered yet. */
  readonly held: Delivery[] = []
  #advance: Advance | null = null

  async start(advance: Advance): Promise<void> {
    this.#advance = advance
  }

  async dispatch(delivery: Delivery): Promise<void> {
    if (this.down) throw new EngineUnreachable('The engine of the test is down.')
    this.held.push(delivery)
  }

  async drop(delivery: Delivery): Promise<void> {
    const index = this.held.findIndex(
      ({ runId, slice }) => runId === delivery.runId && slice === delivery.slice,
    )
    if (index >= 0) this.held.splice(index, 1)
  }

  async health() {
    return this.down ? { healthy: false as const, reason: 'It is down.' } : { healthy: true as const }
  }

  async drain(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Delivers everything submitted to the worker. Resolves when these turns are over. */
  async deliver(): Promise<void> {
    await Promise.all(this.held.splice(0).map((delivery) => this.#advance?.(delivery)))
  }

  /** Drops everything, like an engine that lost its memory. @returns the dropped deliveries */
  lose(): Delivery[] {
    return this.held.splice(0)
  }
}
