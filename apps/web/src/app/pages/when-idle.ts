/**
 * Calls `run` when the browser is idle, after three seconds at the latest.
 *
 * @returns cancels it
 */
export function whenIdle(run: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 1_000)
    return () => clearTimeout(timer)
  }
  const waiting = requestIdleCallback(run, { timeout: 3_000 })
  return () => cancelIdleCallback(waiting)
}
