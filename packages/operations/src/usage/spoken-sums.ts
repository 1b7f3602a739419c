import type { Scope } from '@troupe/agents/ports'
import type { UsageDimension } from '@troupe/contract'
import type { UsageRank, UsageStore, UsageSum } from '@troupe/storage'

/** Usage of the calls of one key, and the duration of its voice sessions. */
export interface SpokenSum extends UsageSum {
  voiceSeconds: number
}

export interface SpokenReport {
  groupBy: UsageDimension | 'purpose'
  /** Whether the report counts voice sessions. */
  hasVoice: boolean
  /** ISO dates in UTC, both inclusive. */
  from: string
  to: string
  rankBy: UsageRank | 'voice'
  /** Maximum keys read of calls, and of voice sessions. */
  limit: number
}

/** The sums of a key that only has voice sessions. */
export const NO_CALLS = {
  ...{ runs: 0, modelCalls: 0, failedCalls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
  costMicros: null,
}

/**
 * The sums of calls, and those of keys that only have voice sessions: days in order, other keys in the order of the
 * report. Each of the first `limit` keys has all of its amounts; there are up to twice as many.
 */
export async function spokenSums(
  usage: Pick<UsageStore, 'sums' | 'voiceSeconds'>,
  scope: Scope,
  { groupBy, rankBy, hasVoice, ...period }: SpokenReport,
): Promise<SpokenSum[]> {
  const { limit } = period
  const voice = groupBy === 'purpose' || !hasVoice ? null : { ...period, groupBy }
  const ofCalls = { ...period, groupBy, rankBy: rankBy === 'voice' ? ('tokens' as const) : rankBy }
  const [calls, spoken] = await Promise.all([
    usage.sums(scope, ofCalls),
    voice === null ? [] : usage.voiceSeconds(scope, voice),
  ])
  // Each list is limited by its own amount, so a group of one list may be missing in the other. If the report is ranked
  // by calls, the groups of calls come first.
  const unread = calls.length < limit || rankBy !== 'voice' ? [] : keysMissing(spoken, calls)
  const unheard = spoken.length < limit ? [] : keysMissing(calls, spoken)
  const [moreCalls, moreSpoken] = await Promise.all([
    unread.length === 0 ? [] : usage.sums(scope, { ...ofCalls, keys: unread }),
    voice === null || unheard.length === 0 ? [] : usage.voiceSeconds(scope, { ...voice, keys: unheard }),
  ])
  const allCalls = [...calls, ...moreCalls]
  const allSpoken = [...spoken, ...moreSpoken]
  const seconds = new Map(allSpoken.map((sum) => [sum.key, sum.seconds]))
  const known = new Set(allCalls.map(({ key }) => key))
  const silent = allSpoken.filter(({ key }) => !known.has(key))
  const all = [...allCalls, ...silent.map(({ key, name }) => ({ key, name, ...NO_CALLS }))]
  const rows = all.map((row) => ({ ...row, voiceSeconds: seconds.get(row.key) ?? 0 }))
  if (groupBy === 'day') rows.sort((one, other) => ((one.key ?? '') < (other.key ?? '') ? -1 : 1))
  else if (rankBy === 'voice') rows.sort((one, other) => other.voiceSeconds - one.voiceSeconds)
  return rows
}

type Keyed = Pick<UsageSum, 'key'>

/** The keys of one list that are missing in the other. */
function keysMissing(from: readonly Keyed[], list: readonly Keyed[]): UsageSum['key'][] {
  const known = new Set(list.map(({ key }) => key))
  return from.flatMap(({ key }) => (known.has(key) ? [] : [key]))
}
