import { expect, test } from 'vitest'
import { chosenRows, freshRows, toggledAll } from './chosen-rows.ts'

interface Row {
  id: string
  status?: string
}
const idOf = ({ id }: Row) => id
const none: ReadonlyMap<string, Row> = new Map()

test('rows that were chosen on another page stay chosen with the values that they had there', () => {
  const first = chosenRows<Row>(new Set(['a']), none, [{ id: 'a', status: 'draft' }, { id: 'b' }], idOf)
  const both = chosenRows(new Set(['a', 'c']), first, [{ id: 'c' }], idOf)
  expect([...both.values()]).toEqual([{ id: 'a', status: 'draft' }, { id: 'c' }])
  expect([...chosenRows(new Set(['c']), both, [{ id: 'c' }], idOf).keys()]).toEqual(['c'])
})

test('a selected row on the page has its current values', () => {
  const chosen = chosenRows<Row>(new Set(['a']), none, [{ id: 'a', status: 'draft' }], idOf)
  expect([...freshRows(chosen, [{ id: 'a', status: 'active' }], idOf).values()]).toEqual([
    { id: 'a', status: 'active' },
  ])
})

test('the checkbox for all rows selects and clears only the rows of its page', () => {
  expect([...toggledAll(new Set(['z']), ['a', 'b'], false)]).toEqual(['z', 'a', 'b'])
  expect([...toggledAll(new Set(['z', 'a', 'b']), ['a', 'b'], true)]).toEqual(['z'])
})
