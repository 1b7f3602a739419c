/**
 * Runs something when the browser has nothing to do, at the latest after three seconds.
 *
 * @returns takes it back
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
