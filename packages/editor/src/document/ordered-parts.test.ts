import { expect, test } from 'vitest'
import { OrderedParts } from './ordered-parts.ts'

test('parts have a total order, however many are inserted between the same two', () => {
  const parts = new OrderedParts([{ id: 'first' }, { id: 'last' }])
  for (let n = 0; n < 200; n += 1) parts.put({ id: `p${n}` }, 'last')
  for (let n = 200; n < 400; n += 1) parts.put({ id: `p${n}` }, `p${n - 1}`)
  const order = parts.list().map(({ id }) => id)
  expect(order.slice(0, 3)).toEqual(['first', 'p0', 'p1'])
  expect(order.slice(-3)).toEqual(['p200', 'p199', 'last'])
  expect(parts.among(new Set([...order].sort())).map(({ id }) => id)).toEqual(order)
})
