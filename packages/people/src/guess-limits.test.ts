import { DomainError } from '@troupe/contract'
import { createMemoryLimiter, RateLimitedError } from '@troupe/rate-limits'
import { expect, test } from 'vitest'
import { limitGuesses } from './guess-limits.ts'

const limiter = createMemoryLimiter()
const guess = (ip: string | null, account: string, right: boolean | (() => Promise<boolean>) = false) =>
  limitGuesses(limiter, { ip, account }, async () =>
    (typeof right === 'boolean' ? right : await right()) ? 'in' : null,
  )
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (error instanceof RateLimitedError ? error.retryAfterSeconds : Promise.reject(error)),
  )

test('after 10 wrong guesses at one account an address waits, also with the right password', async () => {
  for (let n = 0; n < 10; n += 1) expect(await guess('10.0.0.1', 'ana@acme.test')).toBeNull()
  expect(await refused(guess('10.0.0.1', 'ANA@acme.test', true))).toBeGreaterThan(800)
  expect(await guess('10.0.0.2', 'ana@acme.test', true)).toBe('in')
  expect(await guess('10.0.0.1', 'eva@acme.test', true)).toBe('in')
})

test('all addresses of one network of IPv6 are counted together', async () => {
  for (let n = 0; n < 10; n += 1) expect(await guess(`2001:db8:1:2::${n + 1}`, 'ivy@acme.test')).toBeNull()
  expect(await refused(guess('2001:db8:1:2:ffff::1', 'ivy@acme.test', true))).not.toBeNull()
  expect(await guess('2001:db8:1:3::1', 'ivy@acme.test', true)).toBe('in')
})

test('right passwords never use up a limit', async () => {
  for (let n = 0; n < 300; n += 1) expect(await guess('10.0.1.1', 'eva@acme.test', true)).toBe('in')
})

test('an address has 100 wrong guesses at any accounts', async () => {
  for (let n = 0; n < 100; n += 1) await guess('10.0.2.1', `${n}@acme.test`)
  expect(await refused(guess('10.0.2.1', 'new@acme.test'))).not.toBeNull()
})

test('an account has 100 wrong guesses from any address, and refused ones do not count', async () => {
  for (let n = 0; n < 50; n += 1) {
    await guess(`10.0.3.${n}`, 'target@acme.test')
    await guess(`10.0.3.${n}`, 'target@acme.test')
  }
  for (let n = 0; n < 200; n += 1) {
    expect(await refused(guess('10.0.4.1', 'target@acme.test'))).not.toBeNull()
  }
  expect(await guess('10.0.4.1', 'other@acme.test', true)).toBe('in')
})

test('concurrent guesses count like sequential ones', async () => {
  let looked = 0
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      guess('10.0.5.1', 'many@acme.test', async () => {
        looked += 1
        return false
      }),
    ),
  )
  expect(looked).toBe(10)
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(190)
})

test('indistinguishable visitors lock one account at most, never everybody', async () => {
  for (let n = 0; n < 300; n += 1) await guess(null, `${n}@shared.test`)
  expect(await guess(null, 'new@shared.test', true)).toBe('in')
  for (let n = 0; n < 10; n += 1) expect(await guess(null, 'one@shared.test')).toBeNull()
  expect(await refused(guess(null, 'one@shared.test', true))).not.toBeNull()
  expect(await guess(null, 'new@shared.test', true)).toBe('in')
})

test('a password that the server had no time to compare was not a guess; one that broke off was', async () => {
  const fails = (error: Error) =>
    guess('10.0.6.1', 'busy@acme.test', () => Promise.reject(error)).catch(() => 'failed')
  const busy = new DomainError('service_unavailable', 'The server has too many passwords to work on.')
  for (let n = 0; n < 30; n += 1) expect(await fails(busy)).toBe('failed')
  expect(await guess('10.0.6.1', 'busy@acme.test', true)).toBe('in')
  for (let n = 0; n < 10; n += 1) expect(await fails(new Error('broken off'))).toBe('failed')
  expect(await refused(guess('10.0.6.1', 'busy@acme.test', true))).not.toBeNull()
})
