/** The life of one request: ends by the caller's signal, by a timer, or when it is released. */
export interface AbortScope {
  readonly signal: AbortSignal
  /** Why the request was ended; null while it lives or when it ended by itself. */
  readonly reason: 'aborted' | 'timeout' | null
  /** Gives the request another `ms` milliseconds from now; `Infinity` for no limit. */
  restart(ms: number): void
  /** Ends the request if it still runs, and lets go of the timer and of the caller's signal. */
  release(): void
}

const LONGEST_TIMER_MS = 2_147_483_647

/** Opens a scope that is bound by the caller's signal, when there is one, and by a time in milliseconds. */
export function abortScope(outer: AbortSignal | undefined, ms: number): AbortScope {
  const controller = new AbortController()
  let reason: AbortScope['reason'] = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (why: AbortScope['reason']) => {
    if (controller.signal.aborted) return
    reason = why
    controller.abort()
  }
  const onAbort = () => end('aborted')
  const restart = (limit: number) => {
    clearTimeout(timer)
    if (!controller.signal.aborted && limit <= LONGEST_TIMER_MS) timer = setTimeout(end, limit, 'timeout')
  }
  if (outer?.aborted) onAbort()
  outer?.addEventListener('abort', onAbort)
  restart(ms)
  return {
    signal: controller.signal,
    get reason() {
      return reason
    },
    restart,
    release() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onAbort)
      end(null)
    },
  }
}
