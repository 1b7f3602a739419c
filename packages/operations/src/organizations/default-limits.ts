/** The default limits of an organization. */
export const DEFAULT_LIMITS = { rpm: 1_000, concurrentRuns: 200, traceDays: 30, runDays: 90 }
