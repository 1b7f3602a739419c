import { newId, OrganizationId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { LoopShares } from './loop-shares.ts'

const [acme, other] = [newId(OrganizationId), newId(OrganizationId)]

const took = (milliseconds: number) => ({ cpuMs: milliseconds / 2, wallMs: milliseconds })

test('a heavy node makes its organization rest five times as long, and no other one', () => {
  let now = 1_000
  const shares = new LoopShares(() => now)
  shares.spent(acme, took(100))
  expect([shares.restMs(acme), shares.restMs(other)]).toEqual([500, 0])
  now += 400
  expect(shares.restMs(acme)).toBe(100)
  now += 100
  expect(shares.restMs(acme)).toBe(0)
})

test('heavy nodes of several runs add up', () => {
  const shares = new LoopShares(() => 0)
  shares.spent(acme, took(100))
  shares.spent(acme, took(50))
  expect(shares.restMs(acme)).toBe(750)
})

test('light nodes are free, even if their thread had to wait for a processor', () => {
  const shares = new LoopShares(() => 0)
  for (let node = 0; node < 1_000; node += 1) shares.spent(acme, { cpuMs: 4, wallMs: 400 })
  expect(shares.restMs(acme)).toBe(0)
})
