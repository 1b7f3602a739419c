/** The lifetime of one request: ended by the caller's signal, by a timeout, or by release. */
export interface AbortScope {
  readonly signal: AbortSignal
  /** Why the request was aborted; null while it is running or when it ended normally. */
  readonly reason: 'aborted' | 'timeout' | null
  /** Restarts the timeout with `ms` milliseconds from now; `Infinity` for none. */
  restart(ms: number): void
  /**
   * Aborts the request if it is still running, and removes the timer and the listener on the caller's signal.
   */
  release(): void
}

const LONGEST_TIMER_MS = 2_147_483_647

/** Opens a scope bound to the caller's signal, if any, and to a timeout in milliseconds. */
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
