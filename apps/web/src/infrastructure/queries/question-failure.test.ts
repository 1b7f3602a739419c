import { expect, test } from 'vitest'
import { CallFailure } from '../client/call-failure.ts'
import { questionFailure } from './question-failure.ts'

test('a query that waits for a network reports that if it has no response to show', () => {
  const waiting = { error: null, data: undefined, fetchStatus: 'paused' } as const
  expect(questionFailure(waiting)?.message).toMatch(/^You are offline/)
  expect(questionFailure(waiting)).toBe(questionFailure({ ...waiting }))
  expect(questionFailure({ ...waiting, data: [] })).toBeNull()
  expect(questionFailure({ ...waiting, fetchStatus: 'fetching' })).toBeNull()
})

test('an error is shown unchanged, even while the next retry waits', () => {
  const error = new CallFailure('internal_error', 'Broken.')
  expect(questionFailure({ error, data: undefined, fetchStatus: 'paused' })).toBe(error)
})
