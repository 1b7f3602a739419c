import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which statements may run without a turn of the event loop. */
const MAX_STRETCH_MS = 10

/**
 * Lets the event loop answer other requests between statements. The embedded database runs on the event loop and
 * answers in microtasks, so statements that queue behind each other would hold the loop until the last one is done.
 *
 * The first statement of a stretch also waits for two turns: requests of concurrent code, such as the model call beside
 * the row of a run's start, are sent before the statement blocks the loop. One turn is not enough, because undici uses one
 * to check an idle connection before it writes a request to it.
 */
export class EventLoopTurns {
  /** On the clock of `performance.now()`; null when no code is left that continues from the last statement. */
  #stretchStart: number | null = null

  /** Resolves at once within a stretch of statements, otherwise after two turns of the event loop. */
  async beforeStatement(): Promise<void> {
    if (this.#stretchStart !== null && performance.now() - this.#stretchStart <= MAX_STRETCH_MS) return
    await nextTurn()
    await nextTurn()
    this.#stretchStart = performance.now()
    // Runs when the microtasks end, before the loop reads the next request: that request's statements are a new
    // stretch.
    process.nextTick(() => {
      this.#stretchStart = null
    })
  }
}
