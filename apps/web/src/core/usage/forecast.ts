/** The end of a monthly budget at the current rate. */
export type BudgetForecast =
  | { kind: 'full' }
  /** It will be used up at this time, in milliseconds. */
  | { kind: 'full-on'; at: number }
  /** The share of the limit that will be used, from 0 to 1. */
  | { kind: 'ends'; share: number }
  | { kind: 'unused' }
  | { kind: 'early' }

const DAY_MS = 86_400_000

/** The forecast of a budget of the current month (UTC). The first day does not predict the others. */
export function budgetForecast(
  { used, limit }: { used: number; limit: number },
  nowMs: number,
): BudgetForecast {
  if (used >= limit) return { kind: 'full' }
  if (used <= 0) return { kind: 'unused' }
  const now = new Date(nowMs)
  const began = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const ends = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  const elapsed = nowMs - began
  if (elapsed < DAY_MS) return { kind: 'early' }
  const fullAt = began + (elapsed * limit) / used
  if (fullAt < ends) return { kind: 'full-on', at: fullAt }
  return { kind: 'ends', share: (used * (ends - began)) / elapsed / limit }
}

const ORDINALS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

/** "the 23rd", of a moment in UTC. */
export function dayOfMonth(ms: number): string {
  const day = new Date(ms).getUTCDate()
  return `the ${day}${ORDINALS[new Intl.PluralRules('en', { type: 'ordinal' }).select(day)]}`
}
