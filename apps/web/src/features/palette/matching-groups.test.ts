import { expect, test } from 'vitest'
import { matchingGroups } from './matching-groups.ts'

const GROUPS = [
  { id: 'a', entries: [{ label: 'My agents' }, { label: 'Agents', detail: 'go to' }] },
  { id: 'b', entries: [{ label: 'Runs' }] },
]
const labels = (text: string) =>
  matchingGroups(GROUPS, text).map(({ id, entries }) => [id, ...entries.map(({ label }) => label)])

test('without a text, everything is listed', () => {
  expect(labels(' ')).toEqual([
    ['a', 'My agents', 'Agents'],
    ['b', 'Runs'],
  ])
})

test('words match in any order, and prefix matches come first', () => {
  expect(labels('ag')).toEqual([['a', 'Agents', 'My agents']])
  expect(labels('to AGENTS')).toEqual([['a', 'Agents']])
  expect(labels('nothing')).toEqual([])
})
