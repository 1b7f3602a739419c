import { expect, test } from 'vitest'
import { grantedSeconds } from '../leases/lease-grant.ts'
import { type CallCounts, capRefusal, rateWindow } from './call-caps.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const ago = (seconds: number) => new Date(NOW - seconds * 1_000)
const TRUNK = {
  maxConcurrentCalls: 5,
  maxCps: 1,
  maxCallsPerDestinationPerHour: 3,
  dailyCallCap: null as number | null,
  createdAt: ago(30 * 86_400),
}
const NONE: CallCounts = {
  inFlight: 0,
  samePair: 0,
  inRateWindow: 0,
  oldestInRateWindow: null,
  toDestination: 0,
  oldestToDestination: null,
  inDay: 0,
  oldestInDay: null,
}
const refusal = (counts: Partial<CallCounts>, trunk: Partial<typeof TRUNK> = {}, newTrunkCalls = 20) =>
  capRefusal({ ...TRUNK, ...trunk }, { ...NONE, ...counts }, newTrunkCalls, NOW)

test('below every cap a call is placed', () => {
  expect(refusal({ inFlight: 4, toDestination: 2, inDay: 1_000 })).toBeNull()
})

test('calls in flight and a call between the same two numbers are limits of concurrency', () => {
  expect(refusal({ inFlight: 5 })).toEqual({
    kind: 'concurrency',
    message: 'This trunk already has 5 calls in flight.',
  })
  expect(refusal({ samePair: 1 })?.kind).toBe('concurrency')
})

test('each rate reports when it has capacity again', () => {
  expect(refusal({ inRateWindow: 1, oldestInRateWindow: ago(0.4) })).toMatchObject({
    kind: 'rate',
    retryAfterS: 1,
  })
  expect(refusal({ inRateWindow: 1, oldestInRateWindow: ago(1) }, { maxCps: 0.1 })).toMatchObject({
    retryAfterS: 9,
  })
  expect(refusal({ toDestination: 3, oldestToDestination: ago(600) })).toMatchObject({ retryAfterS: 3_000 })
  expect(refusal({ inDay: 7, oldestInDay: ago(3_600) }, { dailyCallCap: 7 })).toMatchObject({
    retryAfterS: 23 * 3_600,
  })
})

test('a new trunk has an additional cap for 24 hours, which a deployment may turn off', () => {
  const createdAt = ago(3_600)
  expect(refusal({ inDay: 20 }, { createdAt })).toMatchObject({ kind: 'rate', retryAfterS: 23 * 3_600 })
  expect(refusal({ inDay: 19 }, { createdAt })).toBeNull()
  expect(refusal({ inDay: 20 }, { createdAt }, 0)).toBeNull()
  expect(refusal({ inDay: 20 }, { createdAt: ago(86_400) })).toBeNull()
})

test('a rate below one a second is one call in a longer time', () => {
  expect(rateWindow(1)).toEqual({ callsInWindow: 1, windowMs: 1_000 })
  expect(rateWindow(2.5)).toEqual({ callsInWindow: 2, windowMs: 1_000 })
  expect(rateWindow(0.5)).toEqual({ callsInWindow: 1, windowMs: 2_000 })
})

test.for([
  [[1_000], 60, 300],
  [[1_000, 150], 60, 120],
  [[59.9], 1, 0],
  [[60], 60, 60],
  [[100], 45, 90],
  [[-5], 60, 0],
  [[119], 60, 60],
] as const)('of %j seconds, in units of %i, %i are granted', ([remaining, unit, granted]) => {
  expect(grantedSeconds(remaining, unit)).toBe(granted)
})
