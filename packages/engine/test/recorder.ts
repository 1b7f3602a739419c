import { newId, RunId } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import { vi } from 'vitest'

/** The worker's behaviour for the delivery of one run. */
type Behaviour = (delivery: Delivery) => Promise<void>

/** A worker that records its deliveries. Deliveries of runs that it did not create are ignored. */
export class Recorder {
  /** In the order of arrival. */
  readonly taken: (Delivery & { at: number })[] = []
  readonly ended: Delivery[] = []
  underWay = 0
  readonly #behaviours = new Map<string, Behaviour>()
  readonly #releases: (() => void)[] = []

  /** A delivery of a new run, and the behaviour when it arrives. */
  delivery(behaviour: Behaviour = async () => {}): Delivery {
    const delivery: Delivery = { lane: 'jobs', runId: newId(RunId), slice: 0 }
    this.#behaviours.set(delivery.runId, behaviour)
    return delivery
  }

  /** A delivery that is in progress from its arrival until `release`. */
  heldDelivery(): { delivery: Delivery; release: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#releases.push(resolve)
    return { delivery: this.delivery(() => promise), release: resolve }
  }

  /** Releases all held deliveries, so that an engine can drain after a failed test. */
  releaseAll(): void {
    for (const release of this.#releases) release()
  }

  readonly advance = async (delivery: Delivery): Promise<void> => {
    const behaviour = this.#behaviours.get(delivery.runId)
    if (!behaviour) return
    this.taken.push({ ...delivery, at: Date.now() })
    this.underWay += 1
    try {
      await behaviour(delivery)
      this.ended.push(delivery)
    } finally {
      this.underWay -= 1
    }
  }

  timesTaken({ runId, slice }: Delivery): number {
    return this.taken.filter((one) => one.runId === runId && one.slice === slice).length
  }

  /** Waits until a delivery has arrived the given number of times. */
  async untilTaken(delivery: Delivery, times = 1): Promise<void> {
    await vi.waitFor(
      () => {
        if (this.timesTaken(delivery) < times) throw new Error(`not taken ${times} times`)
      },
      { timeout: 15_000, interval: 5 },
    )
  }

  async untilEnded(count: number): Promise<void> {
    await vi.waitFor(
      () => {
        if (this.ended.length < count) throw new Error(`${this.ended.length} of ${count} ended`)
      },
      { timeout: 15_000, interval: 5 },
    )
  }
}
