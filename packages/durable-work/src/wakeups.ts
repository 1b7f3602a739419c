import type { Signal, Signals } from './signals.ts'

/** Something that wakes a wait; the returned function ends that. */
export type WakeSource = (wake: () => void) => () => void

/** Wakes a wait with the signals of all processes that are about it. */
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
 * The one way to wait for a row that others change: a signal, then a read, then a poll. A signal only says that a read may be
 * worthwhile. The row is the truth, so a lost signal costs one poll.
 *
 * The race: a change may be committed, and its signal arrive, between the read and the wait. So the subscriptions begin before the
 * first read, `reading` is called before every read, and a signal that arrives after it ends the next wait at once. A signal
 * during the read may be about what that read has seen already; it costs one more read.
 */
export class Wakeups implements Disposable {
  readonly #abort: AbortSignal | undefined
  readonly #unsubscribe: readonly (() => void)[]
  #isAwake = false
  #end = () => {}

  /** The abort ends every wait; who waits looks at it. */
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

  /** Waits for a wakeup, at most so many milliseconds; not at all after one since `reading`, or after the abort. */
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

/** How {@link untilFound} waits. */
interface UntilFound {
  wakenBy: readonly WakeSource[]
  /** The longest time between two reads, in milliseconds. */
  pollMs: number
  /** The last moment for a read, as `now` counts milliseconds; absent: no limit. */
  giveUpAt?: number
  now?: () => number
  abort?: AbortSignal | undefined
}

/**
 * Reads until there is something; null when there is nothing by `giveUpAt`.
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
