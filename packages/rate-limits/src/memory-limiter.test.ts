import { ApiKeyId, newId, OrganizationId } from '@troupe/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryLimiter } from './memory-limiter.ts'
import type { Limited } from './rate-limiter.ts'

const [KEY, ORGANIZATION] = [newId(ApiKeyId), newId(OrganizationId)]

const principal = (given: Partial<Limited> = {}): Limited =>
  ({
    keyId: KEY,
    organizationId: ORGANIZATION,
    organizationRpm: 10,
    keyRpm: null,
    ...given,
  }) as Limited

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

test('a window lasts exactly 60 seconds from its first request', async () => {
  await using limiter = createMemoryLimiter()
  expect(await limiter.count(principal())).toEqual({
    organization: { used: 1, resetMs: 60_000 },
    keyUsed: null,
  })
  vi.advanceTimersByTime(59_999)
  expect(await limiter.count(principal())).toEqual({ organization: { used: 2, resetMs: 1 }, keyUsed: null })
  vi.advanceTimersByTime(1)
  expect(await limiter.count(principal())).toEqual({
    organization: { used: 1, resetMs: 60_000 },
    keyUsed: null,
  })
})

test('a key is counted inside the window of its organization and ends with it', async () => {
  await using limiter = createMemoryLimiter()
  const limited = principal({ keyRpm: 5 })
  await limiter.count(principal({ keyId: newId(ApiKeyId) }))
  vi.advanceTimersByTime(50_000)
  expect(await limiter.count(limited)).toMatchObject({
    organization: { used: 2, resetMs: 10_000 },
    keyUsed: 1,
  })
  expect(await limiter.count(limited)).toMatchObject({ keyUsed: 2 })
  vi.advanceTimersByTime(10_000)
  expect(await limiter.count(limited)).toEqual({ organization: { used: 1, resetMs: 60_000 }, keyUsed: 1 })
})

test('a request over the limit of the organization is not counted for its key, whose use is still shown', async () => {
  await using limiter = createMemoryLimiter()
  const limited = principal({ organizationRpm: 2, keyRpm: 5 })
  await limiter.count(limited)
  await limiter.count(limited)
  expect(await limiter.count(limited)).toMatchObject({ organization: { used: 3 }, keyUsed: 2 })
  expect(await limiter.count(limited)).toMatchObject({ organization: { used: 4 }, keyUsed: 2 })
})

test('organizations and keys are counted apart', async () => {
  await using limiter = createMemoryLimiter()
  await limiter.count(principal())
  const other = principal({ organizationId: newId(OrganizationId) })
  expect(await limiter.count(other)).toMatchObject({ organization: { used: 1 } })
})
