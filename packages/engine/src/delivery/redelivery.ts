/** Backoff of rejected deliveries: 1 s, doubled after each failure, at most 30 s. */
export const REDELIVERY = { firstMs: 1_000, factor: 2, longestMs: 30_000 } as const

/** Milliseconds to wait after the given number of consecutive failures, from 1 on. */
export function redeliveryDelay(failures: number): number {
  return Math.min(REDELIVERY.firstMs * REDELIVERY.factor ** (failures - 1), REDELIVERY.longestMs)
}
