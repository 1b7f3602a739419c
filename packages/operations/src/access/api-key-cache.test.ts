import { ApiKeyId, newId, OrganizationId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import { hashApiKeySecret } from '@troupe/secrets'
import type { ApiKeyRecord } from '@troupe/storage'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiKeyCache } from './api-key-cache.ts'

const SECRET = 'a-secret-of-a-key'
const IP = '192.0.2.1'
const KEY = newId(ApiKeyId)
const ORGANIZATION = newId(OrganizationId)
const HASH = hashApiKeySecret(SECRET)

function record(given: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return {
    id: KEY,
    organizationId: ORGANIZATION,
    projectId: null,
    name: 'ci',
    secretHash: HASH,
    rpm: null,
    expiresAt: null,
    revokedAt: null,
    organizationRpm: 1000,
    ...given,
  } as ApiKeyRecord
}

let now: number
let reads: number
let stored: ApiKeyRecord | null
let gate: Promise<void> | null
let listener: (signal: Signal) => void
let cache: ApiKeyCache

beforeEach(() => {
  now = 1_000_000
  reads = 0
  stored = record()
  gate = null
  cache = new ApiKeyCache({
    lookup: async () => {
      reads += 1
      const answer = stored
      await gate
      return answer
    },
    signals: {
      subscribe: (given) => {
        listener = given
        return () => {}
      },
    },
    clock: { now: () => now },
  })
})

describe('a warm key', () => {
  test('is found without waiting or reading', async () => {
    await cache.find(SECRET, IP)
    expect(cache.find(SECRET, IP)).toMatchObject({ keyId: KEY, organizationRpm: 1000 })
    expect(reads).toBe(1)
  })

  test('is read again in the background after half a second, and callers never wait', async () => {
    await cache.find(SECRET, IP)
    now += 600
    stored = record({ organizationRpm: 5 })
    expect(cache.find(SECRET, IP)).toMatchObject({ organizationRpm: 1000 })
    expect(cache.find(SECRET, IP)).toMatchObject({ organizationRpm: 1000 })
    await Promise.resolve()
    await new Promise(setImmediate)
    expect(cache.find(SECRET, IP)).toMatchObject({ organizationRpm: 5 })
    expect(reads).toBe(2)
  })

  test('is never older than a second: a revocation without a signal takes effect', async () => {
    await cache.find(SECRET, IP)
    stored = record({ revokedAt: new Date(now) })
    now += 1_000
    expect(await cache.find(SECRET, IP)).toBeNull()
  })

  test('expires at its exact time, however warm', async () => {
    stored = record({ expiresAt: new Date(now + 100) })
    expect(await cache.find(SECRET, IP)).not.toBeNull()
    now += 99
    expect(cache.find(SECRET, IP)).not.toBeNull()
    now += 1
    expect(cache.find(SECRET, IP)).toBeNull()
  })

  test('is dropped at once by the signal of its change', async () => {
    await cache.find(SECRET, IP)
    stored = record({ revokedAt: new Date(now) })
    listener({ kind: 'api_key_changed', secretHash: HASH })
    expect(await cache.find(SECRET, IP)).toBeNull()
  })

  test('is dropped when its organization changes', async () => {
    await cache.find(SECRET, IP)
    stored = record({ organizationRpm: 2 })
    listener({ kind: 'config_changed', organizationId: ORGANIZATION })
    expect(await cache.find(SECRET, IP)).toMatchObject({ organizationRpm: 2 })
  })
})

test('concurrent misses share one read', async () => {
  const found = await Promise.all(Array.from({ length: 50 }, () => cache.find(SECRET, IP)))
  expect(new Set(found).size).toBe(1)
  expect(reads).toBe(1)
})

test('an unknown key is remembered for a second and found as soon as it is created', async () => {
  stored = null
  expect(await cache.find(SECRET, IP)).toBeNull()
  expect(cache.find(SECRET, IP)).toBeNull()
  expect(reads).toBe(1)
  stored = record()
  listener({ kind: 'api_key_changed', secretHash: HASH })
  expect(await cache.find(SECRET, IP)).not.toBeNull()
})

test('a read that started before a revocation does not restore the key', async () => {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const early = cache.find(SECRET, IP)
  stored = record({ revokedAt: new Date(now) })
  listener({ kind: 'api_key_changed', secretHash: HASH })
  open()
  await early
  expect(await cache.find(SECRET, IP)).toBeNull()
})

test('a failed read is not remembered', async () => {
  gate = Promise.reject(new Error('database is away'))
  await expect(cache.find(SECRET, IP)).rejects.toThrow('database is away')
  gate = null
  expect(await cache.find(SECRET, IP)).not.toBeNull()
})
