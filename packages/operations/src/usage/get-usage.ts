import type { Scope } from '@troupe/agents/ports'
import type { OPERATIONS, QueryOf, ResultOf } from '@troupe/contract'
import type { UsageStore } from '@troupe/storage'
import { spokenSums } from './spoken-sums.ts'
import { usagePeriod } from './usage-period.ts'

type GetUsage = (typeof OPERATIONS)['getUsage']

const MAX_DAYS = 400
const MAX_KEYS = 1_000

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
  const { from, to } = usagePeriod(query, now, MAX_DAYS)
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
