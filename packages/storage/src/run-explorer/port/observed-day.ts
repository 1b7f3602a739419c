// Every timestamp in this file is in milliseconds since the epoch.

/** What an organization did in the last 24 hours. Tests are left out. */
export interface ObservedDay {
  /** The hours in which something ended or was spent, oldest first. `runs`: that ended. */
  hours: readonly { at: number; runs: number; failed: number; costMicros: number }[]
  /** Of the runs that completed, from their start to their end; null: none did. */
  p95Ms: number | null
  /** There were more runs or calls than are counted: the numbers are of the newest. */
  isCut: boolean
}
