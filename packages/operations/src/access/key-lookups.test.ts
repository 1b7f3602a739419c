import { createMemoryLimiter, type RateLimiter } from '@troupe/rate-limits'
import type { ApiKeyRecord } from '@troupe/storage'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KeyLookups } from './key-lookups.ts'

let reads: string[][]
let stored: Map<string, ApiKeyRecord>
let limiter: RateLimiter
let lookups: KeyLookups

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  reads = []
  stored = new Map(['valid', 'another'].map((hash) => [hash, { secretHash: hash } as ApiKeyRecord]))
  const read = (hashes: readonly string[]) => {
    reads.push([...hashes])
    return hashes.flatMap((hash) => stored.get(hash) ?? [])
  }
  limiter = createMemoryLimiter()
  lookups = new KeyLookups({
    read: { byHash: async (hash) => read([hash])[0] ?? null, byHashes: async (hashes) => read(hashes) },
    limiter,
  })
})
afterEach(async () => {
  lookups[Symbol.dispose]()
  await limiter[Symbol.asyncDispose]()
  vi.useRealTimers()
})

const wrong = (count: number, ip: (at: number) => string, from = 0) =>
  Promise.all(Array.from({ length: count }, (_, at) => lookups.find(`wrong-${from + at}`, ip(at))))

test('a network with many wrong keys shares one read for the rest of the minute', async () => {
  await wrong(100, () => '192.0.2.1')
  expect(reads).toHaveLength(100)
  const flood = wrong(1_200, () => '192.0.2.1', 100)
  await vi.advanceTimersByTimeAsync(249)
  expect(reads).toHaveLength(100)
  await vi.advanceTimersByTimeAsync(1)
  expect(new Set(await flood)).toEqual(new Set([null]))
  expect(reads.slice(100).map(({ length }) => length)).toEqual([500, 500, 200])
  expect(await lookups.find('valid', '192.0.2.2')).toMatchObject({ secretHash: 'valid' })
  await vi.advanceTimersByTimeAsync(60_000)
  await lookups.find('wrong', '192.0.2.1')
  expect(reads.at(-1)).toEqual(['wrong'])
})

test('a valid key from the address of the guesses is found with the next shared read, a known one at once', async () => {
  await wrong(100, () => '192.0.2.1')
  const found = lookups.find('valid', '192.0.2.1')
  expect(await lookups.find('another', null)).toMatchObject({ secretHash: 'another' })
  await vi.advanceTimersByTimeAsync(250)
  expect(await found).toMatchObject({ secretHash: 'valid' })
})

test('valid keys consume no limit', async () => {
  for (let at = 0; at < 300; at += 1) await lookups.find('valid', '192.0.2.1')
  expect(reads).toHaveLength(300)
})

test('guesses from a thousand networks share the reads too, and one network alone does not cause it', async () => {
  const one = wrong(3_000, () => '192.0.2.1')
  await wrong(900, (at) => `198.51.${at % 250}.1`, 3_000)
  expect(reads).toHaveLength(1_000)
  void wrong(500, (at) => `203.0.${at % 250}.1`, 4_000)
  const valid = lookups.find('valid', '192.0.2.9')
  await vi.advanceTimersByTimeAsync(1)
  expect(reads).toHaveLength(1_000)
  await vi.advanceTimersByTimeAsync(249)
  expect(await valid).not.toBeNull()
  await one
})

test('an error of a shared read reaches every waiting caller, and the next round reads again', async () => {
  await wrong(100, () => '192.0.2.1')
  const broken = vi.spyOn(stored, 'get').mockImplementationOnce(() => {
    throw new Error('away')
  })
  const failed = Promise.allSettled([lookups.find('valid', '192.0.2.1'), lookups.find('x', '192.0.2.1')])
  await vi.advanceTimersByTimeAsync(250)
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  broken.mockRestore()
  const next = lookups.find('valid', '192.0.2.1')
  await vi.advanceTimersByTimeAsync(250)
  expect(await next).not.toBeNull()
})
