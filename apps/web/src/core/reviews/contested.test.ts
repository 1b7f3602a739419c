import type { MemberReviewDetail } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import {
  changedDecision,
  contestedFields,
  keptMine,
  proposerOf,
  type TypedDecision,
  takenTheirs,
  unreadFields,
} from './contested.ts'

const NOTHING: TypedDecision = { value: null, base: null }
type Proposal = Pick<MemberReviewDetail, 'fields' | 'revision'>
const proposal = (revision: string, amount: number, note = 'Two'): Proposal => ({
  revision,
  fields: [
    { name: 'amount', label: 'Amount', type: 'number', options: [], required: true, value: amount },
    { name: 'note', label: 'Note', type: 'text', options: [], required: false, value: note },
  ],
})
const before = proposal('r1', 12)
const after = proposal('r2', 900)
const named = (fields: readonly { name: string }[]) => fields.map(({ name }) => name)

test('a value that was typed on other proposed values waits for a choice', () => {
  const typed = changedDecision(NOTHING, { data: { amount: 10 } }, before)
  expect(typed.base).toBe('r1')
  expect(contestedFields(typed, before)).toEqual([])
  expect(contestedFields(typed, after)).toMatchObject([{ name: 'amount', value: 900 }])
})

test('typing on after the proposed values have changed is not a choice', () => {
  const typed = changedDecision(NOTHING, { data: { amount: 10 } }, before)
  const later = changedDecision(typed, { data: { amount: 11 } }, after)
  expect(later.base).toBe('r1')
  expect(named(contestedFields(later, after))).toEqual(['amount'])
  const commented = changedDecision(typed, { comment: 'Fine' }, after)
  expect(named(contestedFields(commented, after))).toEqual(['amount'])
})

test('an untouched field is also shown if it has changed beside an edited one', () => {
  const typed = changedDecision(NOTHING, { data: { note: 'Three' } }, before)
  expect(named(contestedFields(typed, after))).toEqual(['amount'])
})

test('a comment alone causes no conflict, and neither do equal values', () => {
  const commented = changedDecision(NOTHING, { comment: 'Fine' }, before)
  expect(contestedFields(commented, after)).toEqual([])
  const typed = changedDecision(commented, { data: { amount: 901 } }, after)
  expect([typed.base, contestedFields(typed, after)]).toEqual(['r2', []])
  const same = changedDecision(NOTHING, { data: { amount: 900 } }, before)
  expect(contestedFields(same, after)).toEqual([])
})

test('an edit of an earlier version, without a base revision, conflicts where it differs', () => {
  const kept = { value: { comment: '', data: { amount: 10, note: 'Two' } }, base: 'a review id' }
  expect(named(contestedFields(kept, before))).toEqual(['amount'])
})

test('a choice applies to the shown values: the next change is a new conflict', () => {
  const typed = changedDecision(NOTHING, { data: { amount: 10, note: 'Three' } }, before)
  const mine = keptMine(typed.value, after)
  expect(mine.value.data).toEqual({ amount: 10, note: 'Three' })
  expect(contestedFields(mine, after)).toEqual([])
  expect(named(contestedFields(mine, proposal('r3', 950)))).toEqual(['amount'])
  const theirs = takenTheirs(typed, after)
  expect(theirs?.value.data).toEqual({ note: 'Three' })
  expect(theirs && contestedFields(theirs, after)).toEqual([])
})

test('an edit is empty after its only value is discarded', () => {
  const typed = changedDecision(NOTHING, { data: { amount: 10 } }, before)
  expect(takenTheirs(typed, after)).toBeNull()
  const commented = changedDecision(typed, { comment: 'Fine' }, before)
  expect(takenTheirs(commented, after)?.value).toMatchObject({ comment: 'Fine', data: {} })
})

test('the last author of changed values is named, not an approver of unchanged ones', () => {
  type Vote = MemberReviewDetail['votes'][number]
  const vote = (name: string, to: number | null, isOwn = false): Vote => ({
    ...{ name, isOwn, decision: 'approve', comment: null, at: 1 },
    changes: to === null ? [] : [{ name: 'amount', label: 'Amount', from: 12, to }],
  })
  expect(proposerOf([vote('Ben', 900), vote('Rosa', null)])).toBe('Ben')
  expect(proposerOf([vote('Ben', 900), vote('Kim', 5)])).toBe('Kim')
  expect([proposerOf([vote('Rosa', 5, true)]), proposerOf([vote('Ben', null)]), proposerOf([])]).toEqual([
    null,
    null,
    null,
  ])
})

test('a user without an edit first sees the changes', () => {
  const commented = changedDecision(NOTHING, { comment: 'Fine' }, before)
  expect(named(unreadFields(NOTHING, before, after))).toEqual(['amount'])
  expect(named(unreadFields(commented, before, after))).toEqual(['amount'])
  expect(unreadFields(NOTHING, after, after)).toEqual([])
  expect(unreadFields(NOTHING, before, proposal('r2', 12))).toEqual([])
  const typed = changedDecision(NOTHING, { data: { note: 'Three' } }, before)
  expect(unreadFields(typed, before, after)).toEqual([])
})
