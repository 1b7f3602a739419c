import { expect, test } from 'vitest'
import { CallFailure } from '../client/call-failure.ts'
import { questionFailure } from './question-failure.ts'

test('a question that waits for a network says so where there is no answer to show', () => {
  const waiting = { error: null, data: undefined, fetchStatus: 'paused' } as const
  expect(questionFailure(waiting)?.message).toMatch(/^You are offline/)
  expect(questionFailure(waiting)).toBe(questionFailure({ ...waiting }))
  expect(questionFailure({ ...waiting, data: [] })).toBeNull()
  expect(questionFailure({ ...waiting, fetchStatus: 'fetching' })).toBeNull()
})

test('an error is told as it is, also while the next try waits', () => {
  const error = new CallFailure('internal_error', 'Broken.')
  expect(questionFailure({ error, data: undefined, fetchStatus: 'paused' })).toBe(error)
})
