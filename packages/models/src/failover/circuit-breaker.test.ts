import { TestClock } from '@troupe/agents/testing/test-clock'
import { describe, expect, it } from 'vitest'
import { targetOf } from '../testing/open-chain.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

const { connection } = targetOf('http://127.0.0.1/v1', 'a')

function opened() {
  const clock = new TestClock({ speed: 0 })
  const circuits = new CircuitBreaker(clock)
  for (let count = 0; count < 5; count++)
    circuits.failed(connection, 'rate_limit', circuits.enter(connection))
  return { clock, circuits }
}

describe('CircuitBreaker', () => {
  it('opens at the fifth failure within 30 s and names its class', () => {
    const clock = new TestClock({ speed: 0 })
    const circuits = new CircuitBreaker(clock)
    for (let count = 0; count < 4; count++) circuits.failed(connection, 'error', false)
    expect(circuits.skips(connection)).toBeNull()
    circuits.failed(connection, 'timeout', false)
    expect(circuits.skips(connection)).toBe('timeout')
  })

  it('forgets failures that are older than 30 s', () => {
    const clock = new TestClock({ speed: 0 })
    const circuits = new CircuitBreaker(clock)
    for (let count = 0; count < 4; count++) circuits.failed(connection, 'error', false)
    clock.advance(30_001)
    circuits.failed(connection, 'error', false)
    expect(circuits.skips(connection)).toBeNull()
  })

  it('forgets failures on a success, so that a busy provider with rare failures is not skipped', () => {
    const circuits = new CircuitBreaker(new TestClock({ speed: 0 }))
    for (let count = 0; count < 100; count++) {
      circuits.failed(connection, 'error', false)
      circuits.succeeded(connection)
    }
    expect(circuits.skips(connection)).toBeNull()
  })

  it('lets exactly one probe through after 30 s', () => {
    const { clock, circuits } = opened()
    clock.advance(29_999)
    expect(circuits.skips(connection)).toBe('rate_limit')
    clock.advance(1)
    expect(circuits.skips(connection)).toBeNull()
    expect(circuits.enter(connection)).toBe(true)
    expect(circuits.skips(connection)).toBe('rate_limit')
    expect(circuits.enter(connection)).toBe(false)
  })

  it('opens for another 30 s when the probe fails, closes when it succeeds', () => {
    const { clock, circuits } = opened()
    clock.advance(30_000)
    circuits.failed(connection, 'error', circuits.enter(connection))
    clock.advance(29_999)
    expect(circuits.skips(connection)).toBe('error')
    clock.advance(1)
    expect(circuits.enter(connection)).toBe(true)
    circuits.succeeded(connection)
    expect(circuits.skips(connection)).toBeNull()
    expect(circuits.enter(connection)).toBe(false)
  })

  it('passes the probe to the next attempt if the first was not evidence about the configuration', () => {
    const { clock, circuits } = opened()
    clock.advance(30_000)
    circuits.undecided(connection, circuits.enter(connection))
    expect(circuits.skips(connection)).toBeNull()
    expect(circuits.enter(connection)).toBe(true)
  })

  it('allows another probe when the first has not ended after 30 s', () => {
    const { clock, circuits } = opened()
    clock.advance(30_000)
    expect(circuits.enter(connection)).toBe(true)
    clock.advance(29_999)
    expect(circuits.skips(connection)).toBe('rate_limit')
    clock.advance(1)
    expect(circuits.enter(connection)).toBe(true)
  })

  it('starts afresh for an edited configuration', () => {
    const { circuits } = opened()
    expect(circuits.skips({ ...connection, version: 2 })).toBeNull()
  })
})
