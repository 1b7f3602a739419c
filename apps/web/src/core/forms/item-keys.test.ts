import { expect, test } from 'vitest'
import { keyedItems, NO_ITEMS } from './item-keys.ts'

const item = (name: string) => ({ name })
const [a, b, c] = [item('a'), item('b'), item('c')]
const first = keyedItems(NO_ITEMS, [a, b, c])

test('an item keeps its key when it is moved, edited, and when others come and go', () => {
  expect(first.keys).toEqual([0, 1, 2])
  expect(keyedItems(first, [b, a, c]).keys).toEqual([1, 0, 2])
  expect(keyedItems(first, [b, c]).keys).toEqual([1, 2])
  expect(keyedItems(first, [a, item('edited'), c]).keys).toEqual([0, 1, 2])
  expect(keyedItems(first, [a, item('new'), b, c]).keys).toEqual([0, 3, 1, 2])
})

test('a re-read list, or one changed by somebody else, keeps the keys of equal items', () => {
  expect(keyedItems(first, [item('c'), item('a'), item('b')]).keys).toEqual([2, 0, 1])
  expect(keyedItems(first, [item('x'), item('c')]).keys).toEqual([3, 2])
})

test('an item that was edited keeps its key behind one that a colleague has put in front of it', () => {
  const edited = { name: 'a', timeout_ms: 20 }
  expect(keyedItems(first, [item('new'), edited, b, c]).keys).toEqual([3, 0, 1, 2])
})

test('two items that look alike have two keys, and a copy has its own', () => {
  const [one, two] = [item('same'), item('same')]
  const alike = keyedItems(NO_ITEMS, [one, two])
  expect(keyedItems(alike, [two]).keys).toEqual([1])
  expect(keyedItems(alike, [one, { ...one }, two]).keys).toEqual([0, 2, 1])
})

test('an item in the place of another one has a new key, unless it must be the same one', () => {
  expect(keyedItems(first, [item('x'), item('y'), c]).keys).toEqual([3, 4, 2])
  expect(keyedItems(first, [a, item('x'), item('renamed'), c]).keys).toEqual([0, 3, 4, 2])
  expect(keyedItems(first, [a, { type: 'code', name: 'b2' }, c]).keys).toEqual([0, 1, 2])
})

test('a key is never used again', () => {
  const shorter = keyedItems(first, [a])
  expect(keyedItems(shorter, [a, item('new')]).keys).toEqual([0, 3])
})
