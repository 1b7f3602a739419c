import type { Scope } from '@troupe/agents/ports'
import { DomainError, type OPERATIONS, type QueryOf, type ResultOf } from '@troupe/contract'
import type { UsageStore } from '@troupe/storage'
import { spokenSums } from './spoken-sums.ts'

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
  const rows = await spokenSums(usage, scope, {
    ...{ groupBy, from, to },
    ...{ rankBy: 'tokens', hasVoice: true, limit: MAX_KEYS },
  })
  return {
    data: rows
      .slice(0, MAX_KEYS)
      .map(({ cachedTokens, costMicros, voiceSeconds, failedCalls: _, ...row }) => ({
        ...row,
        voiceMinutes: Math.round((voiceSeconds / 60) * 100) / 100,
        cachedInputTokens: cachedTokens,
        costUsd: costMicros === null ? null : costMicros / 1_000_000,
      })),
  }
}
