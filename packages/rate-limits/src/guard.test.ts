import { DomainError } from '@troupe/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Guard } from './guard.ts'
import { createMemoryLimiter } from './memory-limiter.ts'
import { RateLimitedError } from './rate-limited-error.ts'
import { networkOf } from './visitor.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const visitor = (ip = '192.0.2.1', token = 'a') => ({ ip, countedAddress: ip, token })

async function refusals(times: number, request: (at: number) => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: times }, (_, at) => request(at)))
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(RateLimitedError)
  }
  return results.filter(({ status }) => status === 'rejected').length
}

test('an address may read a form 120 times and write to it 60 times per minute, separately for each form', async () => {
  await using limiter = createMemoryLimiter()
  const guard = new Guard(limiter)
  expect(await refusals(121, () => guard.admit('formRead', visitor()))).toBe(1)
  expect(await refusals(61, () => guard.admit('formWrite', visitor()))).toBe(1)
  expect(await refusals(60, () => guard.admit('formWrite', visitor('192.0.2.1', 'b')))).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(await refusals(60, () => guard.admit('formWrite', visitor()))).toBe(0)
})

test('a form accepts 600 requests per minute in total', async () => {
  await using limiter = createMemoryLimiter()
  const guard = new Guard(limiter)
  expect(await refusals(700, (at) => guard.admit('formRead', visitor(`192.0.2.${at % 250}`)))).toBe(100)
})

test('one address that guesses tokens is stopped', async () => {
  await using limiter = createMemoryLimiter()
  const guard = new Guard(limiter)
  expect(await refusals(1_300, (at) => guard.admit('formRead', visitor('192.0.2.1', String(at))))).toBe(100)
})

describe('requests of visitors of a proxy that is not configured', () => {
  const through = (countedAddress: string | null, token = 'a') => ({
    ip: '172.18.0.1',
    countedAddress,
    token,
  })

  test('stop only the visitor who sends too many', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    expect(await refusals(100, () => guard.admit('formWrite', through('203.0.113.7')))).toBe(40)
    expect(await refusals(60, () => guard.admit('formWrite', through('198.51.100.9')))).toBe(0)
    expect(await refusals(700, () => guard.admit('webhook', through('203.0.113.7')))).toBe(100)
    expect(await refusals(600, () => guard.admit('webhook', through('198.51.100.9')))).toBe(0)
    expect(await refusals(130, () => guard.admit('review', through('203.0.113.7')))).toBe(10)
    expect(await refusals(120, () => guard.admit('review', through('198.51.100.9')))).toBe(0)
  })

  test('with forged addresses end at the limit of the proxy', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    const made = (at: number) => `203.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
    expect(await refusals(2_500, (at) => guard.admit('accountLink', through(made(at), String(at))))).toBe(100)
  })

  test('that cannot be distinguished have a higher limit together', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    expect(await refusals(2_410, () => guard.admit('accountLink', through(null)))).toBe(10)
  })
})

test('the error has the end of the window', async () => {
  await using limiter = createMemoryLimiter()
  const guard = new Guard(limiter)
  await refusals(60, () => guard.admit('formWrite', visitor()))
  vi.advanceTimersByTime(40_500)
  await expect(guard.admit('formWrite', visitor())).rejects.toMatchObject({
    code: 'rate_limit_exceeded',
    retryAfterSeconds: 20,
  })
})

describe('failures', () => {
  test('of a webhook are counted only when they happen', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    for (let at = 0; at < 60; at += 1) {
      await guard.checkFailures('webhook', visitor())
      await guard.failed('webhook', visitor())
    }
    await expect(guard.checkFailures('webhook', visitor())).rejects.toBeInstanceOf(RateLimitedError)
    await guard.checkFailures('webhook', visitor('192.0.2.2'))
    await guard.checkFailures('webhook', visitor('192.0.2.1', 'b'))
  })

  test('a thousand guesses at once get ten answers', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    const compare = vi.fn(async () => false)
    expect(await refusals(1_000, () => guard.attempt('formPassword', visitor(), compare))).toBe(990)
    expect(compare).toHaveBeenCalledTimes(10)
    vi.advanceTimersByTime(15 * 60_000)
    expect(await guard.attempt('formPassword', visitor(), async () => true)).toBe(true)
  })

  test('a visitor who knows the password is never stopped', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    for (let at = 0; at < 100; at += 1) await guard.attempt('formPassword', visitor(), async () => true)
    expect(await refusals(11, () => guard.attempt('formPassword', visitor(), async () => false))).toBe(1)
  })

  test('of visitors of a proxy that is not configured stop only the one who makes them', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    const through = (countedAddress: string | null) => ({ ...visitor('172.18.0.1'), countedAddress })
    const guess = (address: string | null, right = false) =>
      guard.attempt('formPassword', through(address), async () => right)
    expect(await refusals(300, () => guess('203.0.113.7'))).toBe(290)
    expect(await guess('198.51.100.9', true)).toBe(true)
    for (let at = 0; at < 60; at += 1) await guard.failed('webhook', through('203.0.113.7'))
    await expect(guard.checkFailures('webhook', through('203.0.113.7'))).rejects.toBeInstanceOf(
      RateLimitedError,
    )
    await guard.checkFailures('webhook', through('198.51.100.9'))
    // Refused guesses are not counted for the peer, which limits forged addresses.
    expect(await refusals(250, (at) => guess(`203.0.114.${at}`))).toBe(250 - (20 * 10 - 10))
    await expect(guess(null, true)).rejects.toBeInstanceOf(RateLimitedError)
  })

  test('of visitors that cannot be distinguished have a higher limit for each form', async () => {
    await using limiter = createMemoryLimiter()
    const guard = new Guard(limiter)
    const shared = { ...visitor(), countedAddress: null }
    expect(await refusals(201, () => guard.attempt('formPassword', shared, async () => false))).toBe(1)
    expect(await guard.attempt('formPassword', { ...shared, token: 'b' }, async () => true)).toBe(true)
  })
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (ip, network) => expect(networkOf(ip)).toBe(network))

test('a password that the server had no time to compare was not a guess', async () => {
  await using limiter = createMemoryLimiter()
  const guard = new Guard(limiter)
  const busy = new DomainError('service_unavailable', 'The server has too many passwords to work on.')
  for (let n = 0; n < 30; n += 1) {
    await expect(guard.attempt('formPassword', visitor(), () => Promise.reject(busy))).rejects.toBe(busy)
  }
  expect(await guard.attempt('formPassword', visitor(), async () => true)).toBe(true)
})
