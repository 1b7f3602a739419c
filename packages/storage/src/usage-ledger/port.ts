import type { Scope } from '@troupe/agents/ports'
import type { UsageDimension } from '@troupe/contract'

/** Usage of the calls of one key. */
export interface UsageSum {
  /** null: the group of calls without one. */
  key: string | null
  /** The name of the agent, team, workflow or key; null if it has none or is deleted. */
  name: string | null
  runs: number
  modelCalls: number
  /** Those of `modelCalls` that failed. Calls that a person or a time limit of the run ended are not counted. */
  failedCalls: number
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  /** Millionths of a US dollar, of the calls with a price; null if none had one. */
  costMicros: number | null
}

/** Usage of the calls of one key on one day. */
export interface UsageDay extends Omit<UsageSum, 'key' | 'name'> {
  /** An ISO date in UTC. */
  day: string
  key: string
}

/** Duration of the voice sessions of one key. */
export interface VoiceSum extends Pick<UsageSum, 'key' | 'name'> {
  seconds: number
}

/** The same for one day. */
export interface VoiceDay extends Omit<VoiceSum, 'name'> {
  /** ISO date in UTC. */
  day: string
}

/** The measure by which the keys of a report are ordered. */
export type UsageRank = 'tokens' | 'cost' | 'runs' | 'errors'

/** The dimensions of voice sessions. */
export type VoiceDimension = Extract<UsageDimension, 'agent' | 'key' | 'user'>

export interface UsageStore {
  /** Adds settled ledger rows to the daily totals, each exactly once; any process may call it at any time. */
  rollUp(): Promise<void>
  /**
   * Sums of the ledger from `from` to `to` (ISO dates in UTC, inclusive), up to the newest call: days in order, any
   * other dimension by `rankBy` (default and tie-breaker: tokens), the largest first, at most `limit` keys. With
   * `keys`, only those; null is the group of calls without one. A project scope sees only its own project's calls.
   */
  sums(
    scope: Scope,
    report: {
      groupBy: UsageDimension | 'purpose'
      from: string
      to: string
      limit: number
      rankBy?: UsageRank
      keys?: readonly (string | null)[]
    },
  ): Promise<UsageSum[]>
  /** Ended voice sessions and calls of the same days, longest first; keys without any are omitted. `keys` as for `sums`. */
  voiceSeconds(
    scope: Scope,
    report: {
      groupBy: UsageDimension
      from: string
      to: string
      limit: number
      keys?: readonly (string | null)[]
    },
  ): Promise<VoiceSum[]>
  /** The same for each day and some keys of a dimension, in the order of the days. */
  voiceDays(
    scope: Scope,
    report: { groupBy: VoiceDimension; keys: readonly string[]; from: string; to: string },
  ): Promise<VoiceDay[]>
  /** Sums of the ledger for each day and some keys of a dimension, in the order of the days; days without calls are omitted. */
  days(
    scope: Scope,
    report: {
      groupBy: Exclude<UsageDimension, 'day'> | 'purpose'
      keys: readonly string[]
      from: string
      to: string
    },
  ): Promise<UsageDay[]>
}
