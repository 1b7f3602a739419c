// Every timestamp in this file is in milliseconds since the epoch.

/** Activity of an organization in the last 24 hours, without tests. */
export interface ObservedDay {
  /** The hours with an ended run or a cost, oldest first. `runs`: number of ended runs. */
  hours: readonly { at: number; runs: number; failed: number; costMicros: number }[]
  /** The 95th percentile of the durations of completed runs; null if none completed. */
  p95Ms: number | null
  /** Whether there were more runs or calls than are counted; if so, the numbers cover the newest. */
  isCut: boolean
}
