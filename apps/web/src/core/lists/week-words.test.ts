import { expect, test } from 'vitest'
import { weekWords } from './week-words.ts'

/** 12 January 1970, 13:46:40 UTC: the seven days begin with the 6th. */
const NOW_MS = 1_000_000_000
const none = [0, 0, 0, 0, 0, 0, 0]

test.each([
  ['was not called yet', null, 'No runs'],
  ['began its last run minutes ago', NOW_MS / 1_000 - 600, 'None ended'],
  ['began its last run two days ago', NOW_MS / 1_000 - 2 * 86_400, 'None ended'],
  ['began its last run on the first of the days', 5 * 86_400, 'None ended'],
  [
    'began its last run on the day before them, less than seven times 24 hours ago',
    5 * 86_400 - 1,
    'No runs',
  ],
  ['began its last run eight days ago', NOW_MS / 1_000 - 8 * 86_400, 'No runs'],
])('a week without ended runs for each subject: %s', (_what, lastRunAt, words) => {
  expect(weekWords({ ok: none, failed: none }, lastRunAt, NOW_MS).short).toBe(words)
})

test('a week of runs is a short number, and a sentence with its failures', () => {
  const week = { ok: [0, 0, 3, 0, 0, 0, 8], failed: [0, 0, 0, 0, 0, 0, 1] }
  expect(weekWords(week, null, NOW_MS)).toEqual({
    short: '12',
    sentence: '12 runs in seven days, 1 failed',
  })
})

test('a day with more runs than are counted makes the number a lower bound', () => {
  const week = { ok: [0, 0, 0, 0, 0, 1_000, 1_000], failed: none }
  expect(weekWords(week, null, NOW_MS)).toEqual({
    short: '2K+',
    sentence: 'At least 2,000 runs in seven days, none failed',
  })
})
