import { expect, test } from 'vitest'
import type { EditableField } from '../ports/review-store.ts'
import { changesOf, proposedOn, valuesOfRun, withChanges } from './value-changes.ts'

const field = (name: string, value: EditableField['value']): EditableField => ({
  ...{ name, label: `The ${name}`, type: 'text', options: [], required: false },
  value,
})
const ASKED = [field('amount', 250), field('note', null)]

test("the run's proposal is kept with the fields, however often an approval changes them", () => {
  const once = proposedOn(ASKED, [field('amount', 5), field('note', null)])
  const twice = proposedOn(
    once,
    once.map((one) => ({ ...one, value: 'other' })),
  )
  expect(valuesOfRun(ASKED)).toEqual({ amount: 250, note: null })
  expect(valuesOfRun(once)).toEqual({ amount: 250, note: null })
  expect(valuesOfRun(twice)).toEqual({ amount: 250, note: null })
  expect(twice.map(({ value }) => value)).toEqual(['other', 'other'])
})

test('each vote has its own changes', () => {
  const fields = proposedOn(ASKED, [field('amount', 5), field('note', null)])
  const votes = withChanges(fields, [
    { name: 'Rita', found: { amount: 250, note: null }, data: { amount: 5, note: null } },
    { name: 'Ada', found: { amount: 5, note: null }, data: { amount: 5, note: null } },
    { name: 'Olga', found: { amount: 5, note: null }, data: { amount: 7, note: 'less' } },
  ])
  expect(votes.map(({ name, changes }) => [name, changes])).toEqual([
    ['Rita', [{ name: 'amount', label: 'The amount', from: 250, to: 5 }]],
    ['Ada', []],
    [
      'Olga',
      [
        { name: 'amount', label: 'The amount', from: 5, to: 7 },
        { name: 'note', label: 'The note', from: null, to: 'less' },
      ],
    ],
  ])
})

test('a change whose vote was replaced is credited to no other vote', () => {
  const fields = proposedOn(ASKED, [field('amount', 5), field('note', null)])
  const same = { amount: 5, note: null }
  // Rita set 5 and rejected later.
  const votes = withChanges(fields, [
    { name: 'Ada', found: same, data: same },
    { name: 'Rita', found: same, data: same },
  ])
  expect(votes.map(({ changes }) => changes)).toEqual([[], []])
})

test('a vote with erased values has no known changes', () => {
  expect(changesOf(ASKED, { amount: 250, note: null }, {})).toEqual([])
  expect(withChanges([], [{ found: {}, data: {} }])).toMatchObject([{ changes: [] }])
})
