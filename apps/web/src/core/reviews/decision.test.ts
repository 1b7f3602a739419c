import { expect, test } from 'vitest'
import {
  decisionBody,
  decisionErrors,
  type EditableReviewField,
  EMPTY_REVIEW_DRAFT,
  fieldValue,
  isReviewDraft,
  shownErrors,
} from './decision.ts'

const amount: EditableReviewField = {
  ...{ name: 'amount', label: 'Amount', type: 'number', options: [], required: true, value: 12 },
}
const review = { fields: [amount], requireRejectComment: true }

test('an approval needs its required fields, a rejection its comment', () => {
  const emptied = { comment: ' ', data: { amount: null } }
  expect(Object.keys(decisionErrors(review, emptied, 'approve'))).toEqual(['data.amount'])
  expect(Object.keys(decisionErrors(review, emptied, 'reject'))).toEqual(['comment'])
  expect(decisionErrors(review, EMPTY_REVIEW_DRAFT, 'approve')).toEqual({})
})

test('the error of a field goes when the field is changed, the others stay', () => {
  const errors = { comment: 'Missing', 'data.amount': 'Missing' }
  expect(shownErrors(errors, ['comment'])).toEqual({ 'data.amount': 'Missing' })
})

test('only changed values are sent', () => {
  expect(decisionBody(EMPTY_REVIEW_DRAFT, 'approve')).toEqual({ decision: 'approve' })
  expect(decisionBody({ comment: ' Fine ', data: { amount: 9 } }, 'approve')).toEqual({
    ...{ decision: 'approve', comment: 'Fine', data: { amount: 9 } },
  })
})

test('an emptied field is empty, not the proposed value', () => {
  expect(fieldValue(amount, { comment: '', data: { amount: null } })).toBeNull()
  expect(fieldValue(amount, EMPTY_REVIEW_DRAFT)).toBe(12)
})

test('data of an older build in the storage is distinguished from a draft', () => {
  expect(isReviewDraft({ comment: 'x', data: {} })).toBe(true)
  expect([
    isReviewDraft(null),
    isReviewDraft({ comment: 1, data: {} }),
    isReviewDraft({ comment: '' }),
  ]).toEqual([false, false, false])
})
