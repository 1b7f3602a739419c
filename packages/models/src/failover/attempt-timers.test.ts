import { TestClock } from '@troupe/agents/testing/test-clock'
import { describe, expect, it } from 'vitest'
import { AttemptTimers } from './attempt-timers.ts'

function start(retry: { firstTokenTimeoutMs?: number; idleTimeoutMs?: number; callTimeoutMs?: number } = {}) {
  const clock = new TestClock({ speed: 0 })
  const expired: string[] = []
  const timers = new AttemptTimers(
    clock,
    {
      attemptsPerModel: 1,
      firstTokenTimeoutMs: 20_000,
      idleTimeoutMs: 30_000,
      callTimeoutMs: 120_000,
      ...retry,
    },
    (failure) => expired.push(failure.internalMessage),
  )
  return { clock, timers, expired }
}

describe('AttemptTimers', () => {
  it('expires once if no first token arrives', () => {
    const { clock, expired } = start()
    clock.advance(19_999)
    expect(expired).toEqual([])
    clock.advance(200_000)
    expect(expired).toEqual(['first token timeout after 20000 ms'])
    expect(clock.pending()).toBe(0)
  })

  it('measures idle from the start of each read', () => {
    const { clock, timers, expired } = start()
    clock.advance(10_000)
    timers.commit()
    for (let part = 0; part < 3; part++) {
      timers.waiting()
      clock.advance(29_000)
      timers.received()
    }
    expect(expired).toEqual([])
    timers.waiting()
    clock.advance(30_000)
    expect(expired).toEqual(['call timeout after 120000 ms'])
  })

  it('notices an idle timeout that is shorter than the first-token timeout', () => {
    const { clock, timers, expired } = start({ idleTimeoutMs: 500 })
    timers.commit()
    timers.waiting()
    clock.advance(500)
    expect(expired).toEqual(['idle timeout after 500 ms'])
  })

  it('is not idle while no consumer reads', () => {
    const { clock, timers, expired } = start({ idleTimeoutMs: 500 })
    timers.commit()
    clock.advance(60_000)
    expect(expired).toEqual([])
    timers.waiting()
    clock.advance(500)
    expect(expired).toEqual(['idle timeout after 500 ms'])
  })

  it('sets one timer for any number of parts and leaves none behind', () => {
    const { clock, timers } = start()
    timers.commit()
    for (let part = 0; part < 1000; part++) {
      timers.waiting()
      timers.received()
      expect(clock.pending()).toBe(1)
    }
    timers.stop()
    expect(clock.pending()).toBe(0)
  })
})
