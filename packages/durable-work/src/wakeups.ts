import type { Signal, Signals } from './signals.ts'

/** A source of wakeups for a wait; the returned function unsubscribes. */
export type WakeSource = (wake: () => void) => () => void

/** Wakes a wait with the matching signals of all processes. */
export function onSignal(
  signals: Pick<Signals, 'subscribe'>,
  isAbout: (signal: Signal) => boolean,
): WakeSource {
  return (wake) =>
    signals.subscribe((signal) => {
      if (isAbout(signal)) wake()
    })
}

/**
 * The one way to wait for a row that others change: a signal, then a read, then a poll. A signal is only a hint to
 * read. The row is authoritative, so a lost signal costs one poll.
 *
 * The race: a change may be committed, and its signal arrive, between the read and the wait. So the subscriptions begin
 * before the first read, `reading` is called before every read, and a signal that arrives after it ends the next wait
 * at once. A signal during the read may be about what that read has seen already; it costs one more read.
 */
export class Wakeups implements Disposable {
  readonly #abort: AbortSignal | undefined
  readonly #unsubscribe: readonly (() => void)[]
  #isAwake = false
  #end = () => {}

  /** The abort ends every wait; the waiting code checks for it. */
  constructor(sources: readonly WakeSource[], abort?: AbortSignal) {
    const wake = () => {
      this.#isAwake = true
      this.#end()
    }
    this.#abort = abort
    abort?.addEventListener('abort', wake)
    this.#unsubscribe = [
      ...sources.map((source) => source(wake)),
      () => abort?.removeEventListener('abort', wake),
    ]
  }

  /** Called before each read: a wakeup from now on ends the wait after it. */
  reading(): void {
    this.#isAwake = false
  }

  /**
   * Waits for a wakeup, at most `pollMs` milliseconds; returns immediately after a wakeup since `reading`, or
   * after the abort.
   */
  async wait(pollMs: number): Promise<void> {
    if (this.#isAwake || this.#abort?.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, pollMs)
    this.#end = resolve
    await promise
    clearTimeout(timer)
    this.#end = () => {}
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }
}

/** Options of {@link untilFound}. */
interface UntilFound {
  wakenBy: readonly WakeSource[]
  /** Maximum milliseconds between two reads. */
  pollMs: number
  /** The time of the last read, on the clock of `now`; absent: no limit. */
  giveUpAt?: number
  now?: () => number
  abort?: AbortSignal | undefined
}

/**
 * Reads until there is a result; null if there is none by `giveUpAt`.
 *
 * @throws what `read` throws, or the reason of the abort
 */
export async function untilFound<T>(
  { wakenBy, pollMs, giveUpAt = Number.POSITIVE_INFINITY, now = Date.now, abort }: UntilFound,
  read: () => Promise<T | null>,
): Promise<T | null> {
  using wakeups = new Wakeups(wakenBy, abort)
  for (;;) {
    abort?.throwIfAborted()
    wakeups.reading()
    const found = await read()
    if (found !== null) return found
    const leftMs = giveUpAt - now()
    if (leftMs <= 0) return null
    await wakeups.wait(Math.min(pollMs, leftMs))
  }
}
