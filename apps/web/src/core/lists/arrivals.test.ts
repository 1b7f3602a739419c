import { expect, test } from 'vitest'
import { seeRows } from './arrivals.ts'

const first = seeRows(null, 'runs', ['b', 'a'], false)
const arrived = (seen: typeof first) => [...seen.arrived]

test('the first rows of a list, and of another filter, do not count as new', () => {
  expect(arrived(first)).toEqual([])
  expect(arrived(seeRows(first, 'runs failed', ['c', 'b'], false))).toEqual([])
})

test('a row that joins a shown list has arrived, including the first one of an empty list', () => {
  const second = seeRows(first, 'runs', ['c', 'b', 'a'], false)
  expect(arrived(second)).toEqual(['c'])
  expect(arrived(seeRows(second, 'runs', ['d', 'c', 'b', 'a'], false))).toEqual(['c', 'd'])
  expect(arrived(seeRows(seeRows(null, 'needs', [], false), 'needs', ['a'], false))).toEqual(['a'])
})

test('older rows that were loaded below have not arrived, but a row at the end of a whole list has', () => {
  const part = seeRows(null, 'runs', ['c', 'b'], true)
  expect(arrived(seeRows(part, 'runs', ['d', 'c', 'b', 'a'], false))).toEqual(['d'])
  expect(arrived(seeRows(first, 'runs', ['b', 'a', 'z'], false))).toEqual(['z'])
})

test('a row that leaves and returns has not arrived, and equal rows are not a change', () => {
  const without = seeRows(first, 'runs', ['a'], false)
  expect(without).toBe(first)
  expect(arrived(seeRows(without, 'runs', ['b', 'a'], false))).toEqual([])
})
