import { RateLimitedError } from '@troupe/rate-limits'
import { expect, test } from 'vitest'
import { AttemptsAtOnce } from './attempts-at-once.ts'

/** Begins attempts that last until `end`. @returns the number of started attempts */
function begin(attempts: AttemptsAtOnce, senders: { ip: string; address: string | null }[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let began = 0
  const all = Promise.allSettled(
    senders.map((sender) =>
      attempts.run(sender, () => {
        began += 1
        return promise
      }),
    ),
  )
  const end = async () => {
    resolve()
    const refused = (await all).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const reason of refused) expect(reason).toBeInstanceOf(RateLimitedError)
    return refused.length
  }
  return { began, end }
}
const many = (count: number, sender: (at: number) => { ip: string; address: string | null }) =>
  Array.from({ length: count }, (_, at) => sender(at))

test('a peer that forges addresses leaves room in the queue for others', async () => {
  const attempts = new AttemptsAtOnce()
  const flood = begin(
    attempts,
    many(300, (at) => ({ ip: '172.18.0.9', address: `203.0.${at}.7` })),
  )
  expect(flood.began).toBe(60)
  const other = begin(attempts, [{ ip: '172.18.0.1', address: '198.51.100.9' }])
  expect(other.began).toBe(1)
  expect([await other.end(), await flood.end()]).toEqual([0, 240])
  expect(begin(attempts, [{ ip: '172.18.0.9', address: '203.0.113.1' }]).began).toBe(1)
})

test('one visitor leaves room for the others behind the same proxy', async () => {
  const attempts = new AttemptsAtOnce()
  const flood = begin(
    attempts,
    many(300, () => ({ ip: '172.18.0.1', address: '203.0.113.7' })),
  )
  expect(flood.began).toBe(20)
  expect(begin(attempts, [{ ip: '172.18.0.1', address: '198.51.100.9' }]).began).toBe(1)
  expect(await flood.end()).toBe(280)
})

test('without a proxy a visitor is the peer; visitors that share an address have the limit of a peer', () => {
  const attempts = new AttemptsAtOnce()
  expect(
    begin(
      attempts,
      many(30, () => ({ ip: '203.0.113.7', address: '203.0.113.7' })),
    ).began,
  ).toBe(20)
  expect(
    begin(
      attempts,
      many(90, () => ({ ip: '172.18.0.1', address: null })),
    ).began,
  ).toBe(60)
})

test('a failed attempt releases its slot', async () => {
  const attempts = new AttemptsAtOnce()
  const sender = { ip: '203.0.113.7', address: '203.0.113.7' }
  for (let n = 0; n < 30; n += 1) {
    await expect(attempts.run(sender, () => Promise.reject(new Error('broken off')))).rejects.toThrow(
      'broken',
    )
  }
  expect(await attempts.run(sender, async () => 'in')).toBe('in')
})
