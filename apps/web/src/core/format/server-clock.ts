/** Smaller differences come from latency and the header's precision of one second. */
const LEAST_MS = 60_000

let offsetMs = 0

/**
 * Records the server's clock from the `Date` of a response that arrived at `nowMs` of the browser's clock. Clocks that differ by
 * less than a minute count as equal.
 */
export function noteServerTime(date: string | null, nowMs: number): void {
  const serverMs = Date.parse(date ?? '')
  if (Number.isNaN(serverMs)) return
  const difference = serverMs - nowMs
  offsetMs = Math.abs(difference) < LEAST_MS ? 0 : difference
}

/**
 * Milliseconds since the epoch by the server's clock, for comparisons with its times: "3 minutes ago" is right even if
 * the browser's clock is wrong.
 */
export function serverNow(): number {
  return Date.now() + offsetMs
}
