import { type DomainError, invalidField } from '@troupe/contract'

export const DAY_MS = 24 * 60 * 60_000
const DEFAULT_DAYS = 30
/** The usage ledger has no older rows. */
const FIRST_DAY = '2000-01-01'

/** A moment in milliseconds since the epoch as its day in UTC. */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The first and the last day of a report, and their number. */
export interface UsagePeriod {
  from: string
  to: string
  days: number
}

/**
 * The period of a report, by default the last 30 days. `now` is in milliseconds since the epoch.
 *
 * @throws DomainError `validation_error` for days out of order or more than `mostDays` of them
 */
export function usagePeriod(
  query: { from?: string; to?: string },
  now: number,
  mostDays: number,
): UsagePeriod {
  const to = query.to ?? dayOf(now)
  const from = query.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS)
  if (from < FIRST_DAY) throw invalid(`must not be before ${FIRST_DAY}`)
  if (from > to) throw invalid('must not be after `to`')
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days > mostDays) throw invalid(`must be at most ${mostDays} days before the end of \`to\``)
  return { from, to, days }
}

function invalid(message: string): DomainError {
  return invalidField('from', message)
}
