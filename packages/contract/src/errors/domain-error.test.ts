import { expect, test } from 'vitest'
import { DomainError } from './domain-error.ts'

const failures = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ path: `list.${at}`, message: 'must be a string' }))

test('an error lists at most 200 failures, and reports that there are more', () => {
  const all = new DomainError('validation_error', 'The request is not valid.', { errors: failures(200) })
  expect([all.errors?.length, all.message]).toEqual([200, 'The request is not valid.'])
  const more = new DomainError('validation_error', 'The request is not valid.', { errors: failures(201) })
  expect([more.errors?.length, more.message]).toEqual([
    200,
    'The request is not valid. Only the first 200 failures are listed.',
  ])
})
