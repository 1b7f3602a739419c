import { expect, test } from 'vitest'
import { dayWords } from './day-words.ts'

const NOW_MS = 1_000_000_000

test.each([
  ['was not called yet', null, 'No runs'],
  ['began its last run minutes ago', NOW_MS / 1_000 - 600, 'None ended'],
  ['began its last run two days ago', NOW_MS / 1_000 - 2 * 86_400, 'No runs'],
])('a day without ended runs of what %s', (_what, lastRunAt, words) => {
  expect(dayWords(lastRunAt, NOW_MS).quiet).toBe(words)
})
