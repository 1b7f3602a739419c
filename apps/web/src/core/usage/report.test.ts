import type { UsageReport } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import {
  changeOf,
  daysBetween,
  firstDayOf,
  groupName,
  nothingOf,
  periodDays,
  shareOf,
  shownMetric,
  usageChart,
} from './report.ts'

const NOW = Date.UTC(2026, 10, 22, 15)
const amounts = {
  ...{ runs: 1, calls: 2, errors: 1, inputTokens: 30, cachedTokens: 0, outputTokens: 12, costUsd: 0.5 },
  voiceMinutes: 0,
}
const report: UsageReport = {
  ...{ from: '2026-11-20', to: '2026-11-22', totals: amounts },
  previous: { ...amounts, from: '2026-11-17', to: '2026-11-19' },
  isCut: false,
  data: [
    { key: 'big', name: 'Big', ...amounts },
    { key: null, name: null, ...amounts },
  ],
  days: [
    { day: '2026-11-21', key: 'big', ...amounts },
    { day: '2026-11-21', key: null, ...amounts, costUsd: null },
  ],
}

test('periods are whole days in UTC', () => {
  expect(periodDays('7d', NOW)).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  expect(periodDays('month', NOW)).toEqual({ from: '2026-11-01', to: '2026-11-22' })
  expect(periodDays('last-month', NOW)).toEqual({ from: '2026-10-01', to: '2026-10-31' })
})

test('days without calls have an empty bar, and all small groups are one more group', () => {
  const { series, points } = usageChart(report, 'model', 'cost', NOW)
  expect(series.map(({ label }) => label)).toEqual(['Big', 'Everything else'])
  expect(points.map(({ values }) => values)).toEqual([{}, { big: 0.5, rest: 0 }, {}])
  expect(points.map(({ label }) => label)).toEqual(['20 Nov', '21 Nov', '22 Nov'])
})

test('the chart begins with the first data, where nothing was used before, and has a week at least', () => {
  const before = { ...report.previous, calls: 0, runs: 0, inputTokens: 0, outputTokens: 0, costUsd: null }
  const month = { ...report, from: '2026-10-24', previous: before }
  expect(firstDayOf(month, 'model')).toBe('2026-11-21')
  expect(firstDayOf({ ...month, previous: report.previous }, 'model')).toBeNull()
  const idsOf = (shown: UsageReport) => usageChart(shown, 'model', 'cost', NOW).points.map(({ id }) => id)
  const since = (day: string) => ({ ...month, days: [{ day, key: 'big', ...amounts }] })
  expect(idsOf(since('2026-11-20'))).toEqual(daysBetween('2026-11-16', '2026-11-22'))
  expect(idsOf(since('2026-11-03'))[0]).toBe('2026-11-03')
  expect(idsOf({ ...since('2026-11-03'), previous: report.previous })[0]).toBe('2026-10-24')
})

test('a history of one or two days has these days only', () => {
  const before = { ...report.previous, calls: 0, runs: 0, inputTokens: 0, outputTokens: 0, costUsd: null }
  const month = { ...report, from: '2026-10-24', previous: before }
  const idsOf = (shown: UsageReport) => usageChart(shown, 'model', 'cost', NOW).points.map(({ id }) => id)
  expect(idsOf(month)).toEqual(['2026-11-21', '2026-11-22'])
  expect(idsOf({ ...month, days: [{ day: '2026-11-22', key: 'big', ...amounts }] })).toEqual(['2026-11-22'])
})

test('by day there is one series', () => {
  const days = { ...report, data: [{ key: '2026-11-22', name: '2026-11-22', ...amounts }], days: [] }
  expect(usageChart(days, 'day', 'tokens', NOW).points.map(({ values }) => values)).toEqual([
    { all: 0 },
    { all: 0 },
    { all: 42 },
  ])
})

test('a change needs something before', () => {
  expect([changeOf(3, 2), changeOf(1, 2), changeOf(1, 0)]).toEqual([0.5, -0.5, null])
})

test('deleted and unnamed ones are distinguished', () => {
  expect(groupName('agent', { key: 'a', name: null })).toBe('Deleted')
  expect(groupName('tag', { key: null, name: null })).toBe('Without a tag')
})

test('days go over the end of a month', () => {
  expect(daysBetween('2026-10-31', '2026-11-01')).toEqual(['2026-10-31', '2026-11-01'])
})

test('the first measure is costs, or tokens where no model that was called has a price', () => {
  expect(shownMetric('usual', undefined)).toBe('cost')
  expect(shownMetric('usual', amounts)).toBe('cost')
  expect(shownMetric('usual', { ...amounts, costUsd: null })).toBe('tokens')
  expect(shownMetric('cost', { ...amounts, costUsd: null })).toBe('cost')
})

test('a measure of nothing has a sentence in place of bars', () => {
  expect(nothingOf(report, 'cost')).toBeNull()
  expect(nothingOf({ totals: { ...report.totals, costUsd: null } }, 'cost')).toContain('no model')
  expect(nothingOf({ totals: { ...report.totals, errors: 0 } }, 'errors')).toBe(
    'No call failed in this period.',
  )
})

test('shares are of all that was used, not of the groups that are listed', () => {
  expect(shareOf({ ...amounts, costUsd: 0.25 }, report, 'cost')).toBe(0.5)
})
