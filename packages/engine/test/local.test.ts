import { EngineUnreachable } from '@troupe/durable-work'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLocalEngine } from '../src/local-engine.ts'
import { runEngineContract } from './contract.ts'
import { Recorder } from './recorder.ts'

runEngineContract(async (options) => createLocalEngine(options))

const DAY = 24 * 60 * 60_000

describe('the local engine', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('keeps deliveries until it is started', async () => {
    await using engine = createLocalEngine()
    const worker = new Recorder()
    const [first, second, dropped] = [worker.delivery(), worker.delivery(), worker.delivery()]
    for (const delivery of [first, second, dropped]) await engine.dispatch(delivery)
    await engine.drop(dropped)
    expect(worker.taken).toEqual([])
    await engine.start(worker.advance)
    await worker.untilEnded(2)
    expect(worker.ended).toEqual([first, second])
  })

  test('takes no more deliveries once it drains: the row stays due', async () => {
    await using engine = createLocalEngine()
    const worker = new Recorder()
    await engine.start(worker.advance)
    const { delivery, release } = worker.heldDelivery()
    await engine.dispatch(delivery)
    await worker.untilTaken(delivery)
    const draining = engine.drain()
    await expect(engine.dispatch({ ...delivery, slice: 1 })).rejects.toThrow(EngineUnreachable)
    release()
    await draining
  })

  test('counts lent slots among its deliveries', async () => {
    await using engine = createLocalEngine({ concurrency: 2 })
    const worker = new Recorder()
    expect(engine.place?.(), 'before it is started').toBeNull()
    await engine.start(worker.advance)
    const held = worker.heldDelivery()
    await engine.dispatch(held.delivery)
    await worker.untilTaken(held.delivery)
    const leave = engine.place?.()
    expect(leave).toBeTypeOf('function')
    expect(engine.place?.(), 'when all are taken').toBeNull()
    const waiting = worker.delivery()
    await engine.dispatch(waiting)
    expect(worker.taken).not.toContainEqual(waiting)
    leave?.()
    leave?.()
    await worker.untilEnded(1)
    held.release()
    await engine.drain()
    expect(engine.place?.(), 'when it drains').toBeNull()
  })

  test('waits while draining for holders of slots', async () => {
    await using engine = createLocalEngine()
    await engine.start(new Recorder().advance)
    const leave = engine.place?.()
    let isDrained = false
    const draining = engine.drain().then(() => {
      isDrained = true
    })
    await new Promise(setImmediate)
    expect(isDrained).toBe(false)
    leave?.()
    await draining
  })

  test('accepts a completed delivery again, because it does not remember it', async () => {
    await using engine = createLocalEngine()
    const worker = new Recorder()
    await engine.start(worker.advance)
    const delivery = worker.delivery()
    for (const times of [1, 2]) {
      await engine.dispatch(delivery)
      await worker.untilEnded(times)
    }
  })

  test('withdraws a delivery that waits for a slot', async () => {
    await using engine = createLocalEngine({ concurrency: 1 })
    const worker = new Recorder()
    await engine.start(worker.advance)
    const [held, dropped, next] = [worker.heldDelivery(), worker.delivery(), worker.delivery()]
    for (const delivery of [held.delivery, dropped, next]) await engine.dispatch(delivery)
    await worker.untilTaken(held.delivery)
    await engine.drop(dropped)
    held.release()
    await worker.untilEnded(2)
    expect(worker.ended).toEqual([held.delivery, next])
  })

  test('waits longer for every rejection in a row, at most 30 seconds, and logs ids', async () => {
    vi.useFakeTimers({ now: 0 })
    const warn = vi.fn()
    await using engine = createLocalEngine({ log: { info() {}, warn } })
    const worker = new Recorder()
    const delivery = worker.delivery(() => Promise.reject(new Error('no database')))
    await engine.start(worker.advance)
    await engine.dispatch(delivery)
    await vi.advanceTimersByTimeAsync(121_000)
    expect(worker.taken.map(({ at }) => at / 1_000)).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121])
    expect(warn).toHaveBeenNthCalledWith(
      2,
      { runId: delivery.runId, slice: 0, failures: 2, err: new Error('no database') },
      'a delivery was rejected',
    )
  })

  test('a due time may be later than the maximum of a timer', async () => {
    vi.useFakeTimers({ now: 0 })
    await using engine = createLocalEngine()
    const worker = new Recorder()
    await engine.start(worker.advance)
    await engine.dispatch(worker.delivery(), { dueAt: 60 * DAY })
    await vi.advanceTimersByTimeAsync(60 * DAY - 1)
    expect(worker.taken).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(worker.taken).toMatchObject([{ at: 60 * DAY }])
  })

  test('leaves no timer behind', async () => {
    vi.useFakeTimers({ now: 0 })
    const engine = createLocalEngine()
    const worker = new Recorder()
    await engine.start(worker.advance)
    await engine.dispatch(worker.delivery(), { dueAt: DAY })
    await engine.dispatch(worker.delivery(() => Promise.reject(new Error('no database'))))
    await vi.advanceTimersByTimeAsync(10)
    expect(vi.getTimerCount()).toBe(2)
    await engine[Symbol.asyncDispose]()
    expect(vi.getTimerCount()).toBe(0)
  })
})
