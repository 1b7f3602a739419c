import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which statements may run without a turn of the event loop. */
const MAX_STRETCH_MS = 10

/**
 * Lets the event loop answer other requests between statements. The embedded database runs on the event loop and
 * answers in microtasks, so statements that queue behind each other would hold the loop until the last one is done.
 *
 * The first statement of a stretch also waits for a turn: requests of concurrent code, such as the model call beside
 * the row of a run's start, are sent before the statement blocks the loop.
 */
export class EventLoopTurns {
  /** On the clock of `performance.now()`; null when the loop has turned since the last statement. */
  #stretchStart: number | null = null

  /** Resolves at once within a stretch of statements, otherwise after the event loop's next turn. */
  async beforeStatement(): Promise<void> {
    if (this.#stretchStart !== null && performance.now() - this.#stretchStart <= MAX_STRETCH_MS) return
    await nextTurn()
    this.#stretchStart = performance.now()
    setImmediate(() => {
      this.#stretchStart = null
    }).unref()
  }
}
