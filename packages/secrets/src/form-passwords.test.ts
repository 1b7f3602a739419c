import { RateLimitedError } from '@troupe/rate-limits'
import { expect, test } from 'vitest'
import { formPasswordFault, hashFormPassword, isFormPassword } from './form-passwords.ts'

test('a password is kept as bcrypt of cost 12, and found again', { timeout: 60_000 }, async () => {
  const hash = await hashFormPassword('correct horse')
  expect(hash).toMatch(/^\$2b\$12\$/)
  expect(await isFormPassword('correct horse', hash)).toBe(true)
  expect(await isFormPassword('Correct horse', hash)).toBe(false)
})

test('nobody has no password, and is asked as long as anybody', { timeout: 60_000 }, async () => {
  const hash = await hashFormPassword('a')
  const timed = async (work: Promise<boolean>) => {
    const from = performance.now()
    expect(await work).toBe(false)
    return performance.now() - from
  }
  const known = await timed(isFormPassword('b', hash))
  const unknown = await timed(isFormPassword('nobody knows this one, and it would not help', null))
  expect(unknown).toBeGreaterThan(known / 4)
})

test.each([
  ['', 'must not be empty'],
  ['a\0b', 'must not contain NUL characters'],
  ['x'.repeat(73), 'must have at most 72 bytes in UTF-8'],
  ['ü'.repeat(37), 'must have at most 72 bytes in UTF-8'],
  ['x'.repeat(72), null],
])('%j as a password: %s', (password, fault) => expect(formPasswordFault(password)).toBe(fault))

test('a password that bcrypt would cut matches nothing', async () => {
  expect(await isFormPassword('x'.repeat(73), 'not even looked at')).toBe(false)
})

test('a flood waits in a short queue; the rest is refused at once', { timeout: 120_000 }, async () => {
  // A hash of the lowest cost: what is counted here are turns, not seconds.
  const cheap = '$2b$04$FQkulMJbvX46BDN/u09kR.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
  const results = await Promise.allSettled(Array.from({ length: 500 }, () => isFormPassword('a', cheap)))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(500 - 102)
  for (const result of refused)
    expect((result as PromiseRejectedResult).reason).toBeInstanceOf(RateLimitedError)
  expect(await isFormPassword('a', cheap)).toBe(false)
})
