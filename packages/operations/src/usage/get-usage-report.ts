import { ProjectId, parseId, type QueryOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS, UsageReport } from '@troupe/contract/builder'
import type { UsageDay, UsageStore, VoiceDay, VoiceDimension } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { NO_CALLS, type SpokenSum, spokenSums } from './spoken-sums.ts'
import { DAY_MS, dayOf, usagePeriod } from './usage-period.ts'

type Query = QueryOf<(typeof BUILDER_OPERATIONS)['getUsage']>

const MAX_DAYS = 366
const MAX_KEYS = 1_000
/** Groups with daily values: more cannot be distinguished in a chart. */
const DAILY_KEYS = 5

/**
 * Usage of the days `from` to `to` by one dimension, with its totals and those of the same number of days before. `now`
 * is in milliseconds since the epoch; a report has at most `most` groups.
 *
 * @throws DomainError `validation_error` for days out of order or more than 366 of them
 */
export async function getUsageReport(
  usage: Pick<UsageStore, 'sums' | 'days' | 'voiceSeconds' | 'voiceDays'>,
  { organizationId }: BuilderCaller,
  { groupBy = 'day', metric = 'tokens', projectId: given, daily = false, ...query }: Query,
  now: number,
  most = MAX_KEYS,
): Promise<UsageReport> {
  const { from, to, days } = usagePeriod(query, now, MAX_DAYS)
  const projectId: ProjectId | null = given === undefined ? null : parseId(ProjectId, given)
  const scope = { organizationId, projectId }
  const sums = (by: typeof groupBy, first: string, last: string) =>
    // One row more than reported, to detect more groups.
    spokenSums(usage, scope, {
      ...{ groupBy: dimensionOf(by), from: first, to: last },
      ...{ rankBy: metric, hasVoice: voiceDimensionOf(by) !== null, limit: most + 1 },
    })
  const all = await sums(groupBy, from, to)
  const rows = all.slice(0, most)
  const ofDays = groupBy === 'day' ? rows : await sums('day', from, to)
  const before = { from: dayOf(Date.parse(from) - days * DAY_MS), to: dayOf(Date.parse(from) - DAY_MS) }
  const previous = total(await sums('day', before.from, before.to))
  return {
    ...{ from, to },
    days: daily && groupBy !== 'day' ? await daysOf() : [],
    isCut: all.length > rows.length,
    data: rows.map(({ key, name, ...row }) => ({ key, name, ...amountsOf(row) })),
    totals: total(ofDays),
    previous: { ...before, ...previous },
  }

  async function daysOf(): Promise<UsageReport['days']> {
    const dimension = dimensionOf(groupBy)
    if (dimension === 'day') return []
    const keys = rows.flatMap(({ key }) => (key === null ? [] : [key])).slice(0, DAILY_KEYS)
    const voice = voiceDimensionOf(groupBy)
    const [calls, spoken] = await Promise.all([
      keys.length === 0 ? [] : usage.days(scope, { groupBy: dimension, keys, from, to }),
      keys.length === 0 || voice === null || voice === 'day'
        ? []
        : usage.voiceDays(scope, { groupBy: voice, keys, from, to }),
    ])
    const ofGroups = Map.groupBy(spokenDays(calls, spoken), ({ day }) => day)
    return ofDays.flatMap(({ key: day, name: _, ...whole }) => {
      if (day === null) return []
      const groups = ofGroups.get(day) ?? []
      const rest = without(whole, groups)
      const shown = groups.map(({ day: at, key, ...row }) => ({ day: at, key, ...amountsOf(row) }))
      return rest === null ? shown : [...shown, { day, key: null, ...amountsOf(rest) }]
    })
  }
}

/** The dimension of voice sessions; null for a group without one. */
function voiceDimensionOf(groupBy: NonNullable<Query['groupBy']>): VoiceDimension | 'day' | null {
  if (groupBy === 'apiKey') return 'key'
  return groupBy === 'day' || groupBy === 'agent' || groupBy === 'user' ? groupBy : null
}

/** The sums of calls of each day, and those of groups with only voice sessions on that day. */
function spokenDays(
  calls: readonly UsageDay[],
  voice: readonly VoiceDay[],
): (UsageDay & Pick<SpokenSum, 'voiceSeconds'>)[] {
  const placeOf = ({ day, key }: { day: string; key: string | null }) => `${day} ${key}`
  const seconds = new Map(voice.map((sum) => [placeOf(sum), sum.seconds]))
  const known = new Set(calls.map(placeOf))
  const silent = voice.flatMap(({ day, key }) =>
    key === null || known.has(placeOf({ day, key })) ? [] : [{ day, key, ...NO_CALLS }],
  )
  return [...calls, ...silent].map((row) => ({ ...row, voiceSeconds: seconds.get(placeOf(row)) ?? 0 }))
}

const dimensionOf = (groupBy: NonNullable<Query['groupBy']>) => (groupBy === 'apiKey' ? 'key' : groupBy)

/**
 * The rest of a day without some groups; null if nothing remains. A run with calls of several groups counts in each of
 * them.
 */
function without(all: Amounts, groups: readonly Amounts[]): Amounts | null {
  const rest = groups.reduce<Amounts>(
    (left, group) => ({
      runs: Math.max(0, left.runs - group.runs),
      modelCalls: left.modelCalls - group.modelCalls,
      failedCalls: left.failedCalls - group.failedCalls,
      inputTokens: left.inputTokens - group.inputTokens,
      cachedTokens: left.cachedTokens - group.cachedTokens,
      outputTokens: left.outputTokens - group.outputTokens,
      costMicros: left.costMicros === null ? null : left.costMicros - (group.costMicros ?? 0),
      voiceSeconds: Math.max(0, left.voiceSeconds - group.voiceSeconds),
    }),
    all,
  )
  // Rounding can leave a fraction of a second, which is ignored.
  return rest.modelCalls > 0 || rest.voiceSeconds > 0.5 ? rest : null
}

type Amounts = Omit<SpokenSum, 'key' | 'name'>

function amountsOf({
  modelCalls,
  failedCalls,
  costMicros,
  voiceSeconds,
  ...same
}: Amounts): UsageReport['totals'] {
  return {
    ...same,
    calls: modelCalls,
    errors: failedCalls,
    costUsd: costMicros === null ? null : costMicros / 1_000_000,
    voiceMinutes: Math.round((voiceSeconds / 60) * 100) / 100,
  }
}

function total(rows: readonly SpokenSum[]): UsageReport['totals'] {
  const sum = (of: (row: SpokenSum) => number) => rows.reduce((all, row) => all + of(row), 0)
  const priced = rows.filter(({ costMicros }) => costMicros !== null)
  return amountsOf({
    runs: sum(({ runs }) => runs),
    modelCalls: sum(({ modelCalls }) => modelCalls),
    failedCalls: sum(({ failedCalls }) => failedCalls),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    voiceSeconds: sum(({ voiceSeconds }) => voiceSeconds),
    costMicros: priced.length === 0 ? null : priced.reduce((all, row) => all + (row.costMicros ?? 0), 0),
  })
}
