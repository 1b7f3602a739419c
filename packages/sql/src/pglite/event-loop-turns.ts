import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which statements may run without a turn of the event loop. */
const MAX_STRETCH_MS = 10

/**
 * Lets the event loop answer other requests between statements. The embedded database runs on the event loop and
 * answers in microtasks, so statements that queue behind each other would hold the loop until the last one is done.
 */
export class EventLoopTurns {
  /** On the clock of `performance.now()`; null when the loop has turned since the last statement. */
  #stretchStart: number | null = null

  /** Resolves at once, or after the event loop's next turn when statements have held it for too long. */
  async beforeStatement(): Promise<void> {
    if (this.#stretchStart === null) {
      this.#stretchStart = performance.now()
      setImmediate(() => {
        this.#stretchStart = null
      }).unref()
    } else if (performance.now() - this.#stretchStart > MAX_STRETCH_MS) {
      await nextTurn()
    }
  }
}
