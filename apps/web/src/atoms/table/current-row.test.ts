import { expect, test } from 'vitest'
import { FIRST_ROW, placeOfCurrent } from './current-row.ts'

const same = (id: string) => id

test('the current row is the same one after rows have shifted', () => {
  const current = { id: 'b', index: 1 }
  expect(placeOfCurrent(['a', 'b', 'c'], same, current)).toBe(1)
  expect(placeOfCurrent(['new', 'a', 'b', 'c'], same, current)).toBe(2)
  expect(placeOfCurrent(['b', 'c'], same, current)).toBe(0)
})

test('once the row has left the list, its successor is current', () => {
  expect(placeOfCurrent(['a', 'c'], same, { id: 'b', index: 1 })).toBe(1)
  expect(placeOfCurrent(['a'], same, { id: 'c', index: 2 })).toBe(0)
  expect(placeOfCurrent([], same, { id: 'c', index: 2 })).toBe(0)
})

test('before a selection, the first row is current', () => {
  expect(placeOfCurrent(['new', 'a'], same, FIRST_ROW)).toBe(0)
})
