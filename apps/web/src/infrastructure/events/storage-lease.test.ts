import { expect, test } from 'vitest'
import { StorageLease } from './storage-lease.ts'

function tabs(count: number) {
  const stored = new Map<string, string>()
  const clock = { now: 1_000_000 }
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const leases = Array.from({ length: count }, (_, at) => {
    return new StorageLease('reader', `tab${at}`, storage, () => clock.now)
  })
  return { leases, clock, stored }
}

test('one of seven tabs has the lease, and keeps it while it renews', () => {
  const { leases, clock } = tabs(7)
  for (let round = 0; round < 5; round += 1) {
    expect(leases.map((lease) => lease.hold())).toEqual([true, ...Array(6).fill(false)])
    clock.now += 2_000
  }
})

test('another tab takes over the lease of a closed one immediately, and of an unresponsive one after six seconds', () => {
  const { leases, clock } = tabs(3)
  const [first, second, third] = leases
  expect(first?.hold()).toBe(true)
  second?.release()
  expect(second?.hold()).toBe(false)
  first?.release()
  expect(second?.hold()).toBe(true)
  clock.now += 5_999
  expect(third?.hold()).toBe(false)
  clock.now += 1
  expect(third?.hold()).toBe(true)
  expect(second?.hold()).toBe(false)
})

test('a clock that was set back extends nobody’s lease', () => {
  const { leases, clock } = tabs(2)
  leases[0]?.hold()
  clock.now -= 3_600_000
  expect(leases[1]?.hold()).toBe(true)
})

test('a browser that stores nothing grants the lease to every tab', () => {
  const refuse = () => {
    throw new Error('storage is switched off')
  }
  const storage = { getItem: refuse, setItem: refuse, removeItem: refuse }
  const lease = new StorageLease('reader', 'tab', storage, Date.now)
  expect(lease.hold()).toBe(true)
  lease.release()
})
