/** When a delivery is repeated that was rejected: after 1 s, then twice as long each time, at most 30 s. */
export const REDELIVERY = { firstMs: 1_000, factor: 2, longestMs: 30_000 } as const

/** Milliseconds to wait after the given number of failures in a row, from 1 on. */
export function redeliveryDelay(failures: number): number {
  return Math.min(REDELIVERY.firstMs * REDELIVERY.factor ** (failures - 1), REDELIVERY.longestMs)
}
