import { expect, test } from 'vitest'
import { type IdentifiedItems, identifiedAfter } from './item-ids.ts'

const item = (name: string) => ({ name })
const [a, b, c] = [item('a'), item('b'), item('c')]
const first: IdentifiedItems = { items: [a, b, c], ids: ['0', '1', '2'] }

/** The ids after a change; new ones count from 3. */
function idsAfter(before: IdentifiedItems, items: readonly unknown[]) {
  let next = 3
  return identifiedAfter(before, items, () => String(next++)).ids.map(Number)
}

test('an item keeps its id when it is moved, edited, and when others come and go', () => {
  expect(identifiedAfter(first, first.items, () => '3')).toBe(first)
  expect(idsAfter(first, [b, a, c])).toEqual([1, 0, 2])
  expect(idsAfter(first, [b, c])).toEqual([1, 2])
  expect(idsAfter(first, [a, item('edited'), c])).toEqual([0, 1, 2])
  expect(idsAfter(first, [a, item('new'), b, c])).toEqual([0, 3, 1, 2])
})

test('a re-read list, or one changed by somebody else, keeps the ids of equal items', () => {
  expect(idsAfter(first, [item('c'), item('a'), item('b')])).toEqual([2, 0, 1])
  expect(idsAfter(first, [item('x'), item('c')])).toEqual([3, 2])
})

test('an item that was edited keeps its id behind one that a colleague has put in front of it', () => {
  const edited = { name: 'a', timeout_ms: 20 }
  expect(idsAfter(first, [item('new'), edited, b, c])).toEqual([3, 0, 1, 2])
})

test('two similar items have two ids, and a copy has its own', () => {
  const [one, two] = [item('same'), item('same')]
  const alike = { items: [one, two], ids: ['0', '1'] }
  expect(idsAfter(alike, [two])).toEqual([1])
  expect(idsAfter(alike, [one, { ...one }, two])).toEqual([0, 3, 1])
})

test('an item in the place of another one has a new id, unless it must be the same one', () => {
  expect(idsAfter(first, [item('x'), item('y'), c])).toEqual([3, 4, 2])
  expect(idsAfter(first, [a, item('x'), item('renamed'), c])).toEqual([0, 3, 4, 2])
  expect(idsAfter(first, [a, { type: 'code', name: 'b2' }, c])).toEqual([0, 1, 2])
})
