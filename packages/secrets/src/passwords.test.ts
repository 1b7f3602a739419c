import { BusyError, createHeavyWork } from '@troupe/heavy-work'
import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

/** The lowest cost of bcrypt. */
const cheap = createPasswords(createHeavyWork(), { cost: 4 })

test('a password is stored as a salted bcrypt hash of cost 12', async () => {
  const passwords = createPasswords(createHeavyWork())
  const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
  expect(one).toMatch(/^\$2b\$12\$/)
  expect(one).not.toBe(two)
  expect(await passwords.matches('correct horse', one)).toBe(true)
  expect(await passwords.matches('Correct horse', one)).toBe(false)
})

test('a hash is checked at the cost that it was made with', async () => {
  const hash = await cheap.hash('correct horse')
  expect(hash).toMatch(/^\$2b\$04\$/)
  expect(await createPasswords(createHeavyWork(), { cost: 5 }).matches('correct horse', hash)).toBe(true)
})

// Compares two durations, which a busy machine can stretch.
test('an unknown account takes as long as a wrong password', { retry: 2 }, async () => {
  const passwords = createPasswords(createHeavyWork(), { cost: 10 })
  const hash = await passwords.hash('a')
  const timed = async (work: Promise<boolean>) => {
    const from = performance.now()
    expect(await work).toBe(false)
    return performance.now() - from
  }
  const known = await timed(passwords.matches('b', hash))
  const unknown = await timed(passwords.matches('nobody knows this one, and it would not help', null))
  expect(unknown).toBeGreaterThan(known / 4)
})

test('an unknown account has no password at all', async () => {
  for (const text of ['', 'a', 'a password']) expect(await cheap.matches(text, null)).toBe(false)
})

test('one password typed as different code points is the same password', async () => {
  expect(await cheap.matches('caf\u0065\u0301', await cheap.hash('caf\u00e9'))).toBe(true)
})

test.each([
  ['beyond the 72 bytes that bcrypt reads', 'x'.repeat(72)],
  ['behind a NUL', 'x\0'],
])('characters %s count', async (_, start) => {
  const hash = await cheap.hash(`${start}a`)
  expect(await cheap.matches(`${start}a`, hash)).toBe(true)
  expect(await cheap.matches(`${start}b`, hash)).toBe(false)
  expect(await cheap.matches(start, hash)).toBe(false)
})

test('the longest password of a person is a password', async () => {
  const longest = '😀'.repeat(128)
  expect(await cheap.matches(longest, await cheap.hash(longest))).toBe(true)
})

test('a flood waits in a short queue; the rest is refused immediately', async () => {
  const results = await Promise.allSettled(Array.from({ length: 500 }, () => cheap.matches('a', null)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(500 - 102)
  for (const reason of refused) expect(reason).toBeInstanceOf(BusyError)
  expect(await cheap.matches('a', null)).toBe(false)
})
