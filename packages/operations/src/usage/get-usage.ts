import type { Scope } from '@troupe/agents/ports'
import {
  DomainError,
  type OPERATIONS,
  type QueryOf,
  type ResultOf,
  type UsageDimension,
} from '@troupe/contract'
import type { UsageStore, UsageSum, VoiceSum } from '@troupe/database'

type GetUsage = (typeof OPERATIONS)['getUsage']

const DAY_MS = 24 * 60 * 60_000
const DEFAULT_DAYS = 30
const MAX_DAYS = 400
const MAX_KEYS = 1_000
/** No ledger is older. */
const FIRST_DAY = '2000-01-01'

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function invalid(path: string, message: string): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', { errors: [{ path, message }] })
}

/**
 * Usage of the days `from` to `to`, by default the last 30. `now` is in milliseconds since the epoch.
 *
 * @throws DomainError `validation_error` for days out of order or more than 400 of them
 */
export async function getUsage(
  usage: Pick<UsageStore, 'sums' | 'voiceSeconds'>,
  scope: Scope,
  { group_by: groupBy = 'day', ...query }: QueryOf<GetUsage>,
  now: number,
): Promise<ResultOf<GetUsage>> {
  const to = query.to ?? dayOf(now)
  const from = query.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS)
  if (from < FIRST_DAY) throw invalid('from', `must not be before ${FIRST_DAY}`)
  if (from > to) throw invalid('from', 'must not be after `to`')
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days > MAX_DAYS) throw invalid('from', `must be at most ${MAX_DAYS} days before the end of \`to\``)
  const report = { groupBy, from, to, limit: MAX_KEYS }
  const [calls, voice] = await Promise.all([usage.sums(scope, report), usage.voiceSeconds(scope, report)])
  const seconds = new Map(voice.map((sum) => [sum.key, sum.seconds]))
  return {
    data: withVoice(groupBy, calls, voice).map(({ cachedTokens, costMicros, failedCalls: _, ...row }) => ({
      ...row,
      voiceMinutes: Math.round(((seconds.get(row.key) ?? 0) / 60) * 100) / 100,
      cachedInputTokens: cachedTokens,
      costUsd: costMicros === null ? null : costMicros / 1_000_000,
    })),
  }
}

const NO_CALLS = {
  ...{ runs: 0, modelCalls: 0, failedCalls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
  costMicros: null,
}

/** The sums of calls, and those of keys that have only spoken; days in order. */
function withVoice(
  groupBy: UsageDimension,
  calls: readonly UsageSum[],
  voice: readonly VoiceSum[],
): UsageSum[] {
  const known = new Set(calls.map(({ key }) => key))
  const silent = voice.filter(({ key }) => !known.has(key))
  const all = [...calls, ...silent.map(({ key, name }) => ({ key, name, ...NO_CALLS }))]
  if (groupBy === 'day') all.sort((one, other) => ((one.key ?? '') < (other.key ?? '') ? -1 : 1))
  return all.slice(0, MAX_KEYS)
}
