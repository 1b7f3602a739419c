import type { RunEngine } from '@troupe/durable-work'
import { describe, expect, test, vi } from 'vitest'
import { Recorder } from './recorder.ts'

/** Creates an engine that is not started. */
export type OpenEngine = (options: { concurrency: number }) => Promise<RunEngine>

/** An engine with a recorder as its worker. */
interface Setting extends AsyncDisposable {
  engine: RunEngine
  worker: Recorder
}

/** Starts an engine and waits until it accepts deliveries. */
export async function startEngine(engine: RunEngine): Promise<Recorder> {
  const worker = new Recorder()
  await engine.start(worker.advance)
  await vi.waitFor(async () => expect(await engine.health()).toEqual({ healthy: true }), {
    timeout: 15_000,
    interval: 10,
  })
  return worker
}

/** The contract of every engine; see `RunEngine`. */
export function runEngineContract(open: OpenEngine): void {
  async function start(concurrency = 64): Promise<Setting> {
    const engine = await open({ concurrency })
    const worker = await startEngine(engine)
    const dispose = () => {
      worker.releaseAll()
      return engine[Symbol.asyncDispose]()
    }
    return { engine, worker, [Symbol.asyncDispose]: dispose }
  }
  /** When this one has been accepted, every earlier delivery has been accepted or never will be. */
  async function handInAndWait({ engine, worker }: Setting, options?: { dueAt: number }) {
    const marker = worker.delivery()
    await engine.dispatch(marker, options)
    await worker.untilTaken(marker)
  }

  describe('the contract of engines', () => {
    test('a delivery is taken once, unchanged', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const delivery = { ...worker.delivery(), slice: 7 }
      await engine.dispatch(delivery)
      await worker.untilTaken(delivery)
      await handInAndWait(setting)
      expect(worker.taken[0]).toMatchObject(delivery)
      expect(worker.timesTaken(delivery)).toBe(1)
    })

    test('a delivery with a due time is taken then, not before', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const delivery = worker.delivery()
      const dueAt = Date.now() + 400
      await engine.dispatch(delivery, { dueAt })
      await handInAndWait(setting)
      expect(worker.timesTaken(delivery)).toBe(0)
      await worker.untilTaken(delivery)
      // Clocks of two programs: Restate counts whole milliseconds by its own clock.
      expect(worker.taken.find(({ runId }) => runId === delivery.runId)?.at).toBeGreaterThanOrEqual(dueAt - 2)
    })

    test('a due time in the past means immediately', async () => {
      await using setting = await start()
      await handInAndWait(setting, { dueAt: Date.now() - 60_000 })
    })

    test('deliveries in progress or waiting for their time are not taken twice', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const { delivery, release } = worker.heldDelivery()
      const later = worker.delivery()
      const dueAt = Date.now() + 300
      await engine.dispatch(later, { dueAt })
      await engine.dispatch(later, { dueAt })
      await engine.dispatch(delivery)
      await worker.untilTaken(delivery)
      await Promise.all([engine.dispatch(delivery), engine.dispatch(delivery)])
      await handInAndWait(setting)
      expect(worker.timesTaken(delivery)).toBe(1)
      release()
      await worker.untilTaken(later)
      await handInAndWait(setting)
      expect(worker.timesTaken(later)).toBe(1)
      expect(worker.timesTaken(delivery)).toBe(1)
    })

    test('the next turn of a run is a separate delivery, even while the previous turn ends', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const delivery = worker.delivery(async (taken) => {
        if (taken.slice < 3) await engine.dispatch({ ...taken, slice: taken.slice + 1 })
      })
      await engine.dispatch(delivery)
      await worker.untilEnded(4)
      expect(worker.ended.map(({ slice }) => slice).sort()).toEqual([0, 1, 2, 3])
    })

    test('a rejected delivery is taken again, after a second', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const delivery = worker.delivery(async () => {
        if (worker.taken.length === 1) throw new Error('the database is away')
      })
      await engine.dispatch(delivery)
      await worker.untilEnded(1)
      const [first, second] = worker.taken
      expect(worker.timesTaken(delivery)).toBe(2)
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(900)
    })

    test('a delivery that waits for its time can be withdrawn', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const [delivery, other] = [worker.delivery(), worker.delivery()]
      const dueAt = Date.now() + 300
      await engine.dispatch(delivery, { dueAt })
      await engine.dispatch(other, { dueAt })
      await engine.drop(delivery)
      await worker.untilTaken(other)
      await handInAndWait(setting)
      expect(worker.timesTaken(delivery)).toBe(0)
    })

    test('a withdrawn delivery can be dispatched again', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const delivery = worker.delivery()
      await engine.dispatch(delivery, { dueAt: Date.now() + 600_000 })
      await engine.drop(delivery)
      await engine.dispatch(delivery)
      await worker.untilTaken(delivery)
    })

    test('withdrawing a delivery that is in progress, has ended or was never dispatched changes nothing', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const { delivery, release } = worker.heldDelivery()
      await engine.drop(delivery)
      await engine.dispatch(delivery)
      await worker.untilTaken(delivery)
      await engine.drop(delivery)
      release()
      await worker.untilEnded(1)
      await engine.drop(delivery)
      expect(worker.ended).toEqual([delivery])
    })

    test('no more are in progress than the process may have; the others follow', async () => {
      await using setting = await start(3)
      const { engine, worker } = setting
      const held = Array.from({ length: 8 }, () => worker.heldDelivery())
      for (const { delivery } of held) await engine.dispatch(delivery)
      await vi.waitFor(() => expect(worker.underWay).toBe(3))
      let most = 0
      for (let released = 0; released < held.length; released += 1) {
        for (const { delivery, release } of held) if (worker.timesTaken(delivery) > 0) release()
        await worker.untilEnded(released + 1)
        most = Math.max(most, worker.underWay)
      }
      expect(most).toBeLessThanOrEqual(3)
      expect(worker.taken).toHaveLength(8)
    })

    test('a thousand deliveries arrive, each once', async () => {
      await using setting = await start()
      const { engine, worker } = setting
      const deliveries = Array.from({ length: 1_000 }, () => worker.delivery())
      for (let from = 0; from < deliveries.length; from += 100) {
        await Promise.all(deliveries.slice(from, from + 100).map((delivery) => engine.dispatch(delivery)))
      }
      await worker.untilEnded(1_000)
      expect(new Set(worker.taken.map(({ runId }) => runId)).size).toBe(1_000)
      expect(worker.taken).toHaveLength(1_000)
    })

    test('draining waits for deliveries in progress, and takes no more', async () => {
      await using setting = await start(1)
      const { engine, worker } = setting
      const [held, queued, later] = [worker.heldDelivery(), worker.delivery(), worker.delivery()]
      await engine.dispatch(held.delivery)
      await worker.untilTaken(held.delivery)
      await engine.dispatch(queued)
      await engine.dispatch(later, { dueAt: Date.now() + 50 })
      let drained = false
      const draining = engine.drain().then(() => {
        drained = true
      })
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(drained).toBe(false)
      expect(await engine.health()).toEqual({ healthy: false, reason: 'This process is stopping.' })
      held.release()
      await draining
      expect(worker.ended).toEqual([held.delivery])
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(worker.taken).toHaveLength(1)
    })

    test('draining is possible before the start and more than once', async () => {
      const engine = await open({ concurrency: 1 })
      await engine.drain()
      await engine.drain()
      await engine[Symbol.asyncDispose]()
    })

    test('starting twice is an error', async () => {
      await using setting = await start()
      await expect(setting.engine.start(async () => {})).rejects.toThrow('started before')
    })
  })
}
