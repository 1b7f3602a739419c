import type { BUILDER_OPERATIONS, UsageReport } from '@troupe/builder-contract'
import { DomainError, type ProjectId, type QueryOf, toId } from '@troupe/contract'
import type { UsageStore, UsageSum } from '@troupe/database'
import type { BuilderCaller } from '../access/builder-caller.ts'

type Query = QueryOf<(typeof BUILDER_OPERATIONS)['getUsage']>

const DAY_MS = 24 * 60 * 60_000
const DEFAULT_DAYS = 30
const MAX_DAYS = 366
const MAX_KEYS = 1_000
/** No ledger is older; the period before may begin earlier and is then empty. */
const FIRST_DAY = '2000-01-01'

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const invalid = (message: string) =>
  new DomainError('validation_error', 'The request is not valid.', { errors: [{ path: 'from', message }] })

/**
 * Usage of the days `from` to `to` by one dimension, with totals and those of as many days before. `now` is in
 * milliseconds since the epoch.
 *
 * @throws DomainError `validation_error` for days out of order or more than 366 of them
 */
export async function getUsageReport(
  usage: Pick<UsageStore, 'sums'>,
  { organizationId }: BuilderCaller,
  { groupBy = 'day', projectId: given, ...query }: Query,
  now: number,
): Promise<UsageReport> {
  const { from, to, days } = periodOf(query, now)
  const projectId: ProjectId | null = given === undefined ? null : toId(given)
  const scope = { organizationId, projectId }
  const sums = (by: typeof groupBy, first: string, last: string) =>
    usage.sums(scope, {
      groupBy: by === 'apiKey' ? 'key' : by,
      ...{ from: first, to: last },
      limit: MAX_KEYS,
    })
  const rows = await sums(groupBy, from, to)
  const ofDays = groupBy === 'day' ? rows : await sums('day', from, to)
  const before = { from: dayOf(Date.parse(from) - days * DAY_MS), to: dayOf(Date.parse(from) - DAY_MS) }
  const previous = total(await sums('day', before.from, before.to))
  return {
    ...{ from, to },
    data: rows.map(({ key, name, ...row }) => ({ key, name, ...amountsOf(row) })),
    totals: total(ofDays),
    previous: { ...before, ...previous },
  }
}

function periodOf(query: Pick<Query, 'from' | 'to'>, now: number) {
  const to = query.to ?? dayOf(now)
  const from = query.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS)
  if (from < FIRST_DAY) throw invalid(`must not be before ${FIRST_DAY}`)
  if (from > to) throw invalid('must not be after `to`')
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  if (days > MAX_DAYS) throw invalid(`must be at most ${MAX_DAYS} days before the end of \`to\``)
  return { from, to, days }
}

type Amounts = Omit<UsageSum, 'key' | 'name'>

function amountsOf({ modelCalls, costMicros, ...same }: Amounts): UsageReport['totals'] {
  return { ...same, calls: modelCalls, costUsd: costMicros === null ? null : costMicros / 1_000_000 }
}

function total(rows: readonly UsageSum[]): UsageReport['totals'] {
  const sum = (of: (row: UsageSum) => number) => rows.reduce((all, row) => all + of(row), 0)
  const priced = rows.filter(({ costMicros }) => costMicros !== null)
  return amountsOf({
    runs: sum(({ runs }) => runs),
    modelCalls: sum(({ modelCalls }) => modelCalls),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costMicros: priced.length === 0 ? null : priced.reduce((all, row) => all + (row.costMicros ?? 0), 0),
  })
}
