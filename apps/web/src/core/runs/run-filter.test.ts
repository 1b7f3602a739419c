import { expect, test } from 'vitest'
import { runWords } from '../messages/en/runs.ts'
import { readParams } from '../url/search-params.ts'
import { isNarrowed, RUN_PARAMS, runQuery } from './run-filter.ts'
import { stateOfRun } from './run-state.ts'

const NOW = 1_800_000_000
const read = (search: string) => readParams(RUN_PARAMS, new URLSearchParams(search))
const query = (search: string) => runQuery(read(search), null, NOW)

test('without filters the last week is requested', () => {
  expect(query('')).toEqual({ from: NOW - 604_800 })
  expect(query('range=all')).toEqual({})
})

test('a range that was dragged over is absolute and beats the relative one', () => {
  expect(query('range=day&from=1700000000&to=1700003600')).toEqual({ from: 1_700_000_000, to: 1_700_003_600 })
})

test.for(['failed', 'cancelled'] as const)('%s finds the runs shown as such, and only those', (state) => {
  const found = query(`status=${state}&range=all`).status?.split(',')
  const shown = Object.keys(runWords.statuses).filter((status) => stateOfRun(status) === state)
  expect(found?.toSorted()).toEqual(shown.toSorted())
})

test('hostile values are omitted instead of making the page an error', () => {
  expect(query('range=all&entity=1%27--&key=x&from=-1&to=1e99&kind=__proto__')).toEqual({})
  expect(query(`range=all&tag=${'x'.repeat(400)}`).tag).toHaveLength(255)
})

test('a cause is sent back as received, and filters', () => {
  const cause = 'Timed out after … s & gave up'
  expect(query(`range=all&${new URLSearchParams({ cause })}`)).toEqual({ cause })
  expect(query(`range=all&cause=${'x'.repeat(500)}`).cause).toHaveLength(400)
  expect(isNarrowed(read('cause=x'))).toBe(true)
})

test('the time alone does not count as a filter', () => {
  expect(isNarrowed(read('range=day&from=1&to=2'))).toBe(false)
  expect(isNarrowed(read('tag=blue'))).toBe(true)
})
