import { newId, RunId } from '@troupe/contract'
import { expect, test, vi } from 'vitest'
import { ActiveTurns } from './active-turns.ts'
import { RunAborted } from './interruption.ts'
import { type Delivery, EngineUnreachable } from './run-engine.ts'
import { type Turn, type TurnEnd, TurnWorker } from './turn-worker.ts'

const runId = newId(RunId)
const delivery: Delivery = { lane: 'jobs', runId, slice: 0 }

/** A worker of one lane whose turns behave as the test defines; a claim returns its slice. */
function setUp(work: (turn: { signal: AbortSignal; ending: Promise<void> }) => Promise<TurnEnd>) {
  const failures: string[] = []
  const telemetry = { backgroundFailed: (task: string) => void failures.push(task) }
  const store = {
    claim: vi.fn(async ({ slice }: { slice: number }) => (slice === 0 ? { slice } : null)),
    dispatched: vi.fn(async () => {}),
    ended: async () => [],
    renewLeases: async () => {},
  }
  const signals = {
    publish: async () => {},
    subscribe: () => () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  const active = new ActiveTurns<RunId>({
    ...{ store, signals, telemetry, workerId: 'w' },
    cancelSignal: 'run_cancelled',
  })
  const dispatch = vi.fn(async () => {})
  const begin = async (): Promise<Turn<RunId>> => {
    const controller = new AbortController()
    const { promise, resolve } = Promise.withResolvers<void>()
    return {
      runId,
      controller,
      work: () => work({ signal: controller.signal, ending: promise }),
      endTurn: resolve,
    }
  }
  const parts = { engine: { dispatch }, telemetry, active, workerId: 'w' }
  const worker = new TurnWorker({ lane: 'jobs', store, begin }, parts)
  return {
    worker,
    active,
    store,
    dispatch,
    failures,
    [Symbol.asyncDispose]: () => active[Symbol.asyncDispose](),
  }
}

test('a turn that releases its row is over once the engine has its next slice', async () => {
  await using lane = setUp(async () => ({ kind: 'yielded', slice: 1, dueAt: 7 }))
  await lane.worker.advance(delivery)
  expect(lane.dispatch).toHaveBeenCalledExactlyOnceWith({ ...delivery, slice: 1 }, { dueAt: 7 })
  expect(lane.store.dispatched).toHaveBeenCalledTimes(1)
})

test.each(['ended', 'suspended', 'lost'] as const)('nothing follows a turn that is %s', async (kind) => {
  await using lane = setUp(async () => ({ kind }))
  await lane.worker.advance(delivery)
  expect(lane.dispatch).not.toHaveBeenCalled()
  expect(lane.active.size).toBe(0)
})

test('a stale delivery claims nothing and does nothing', async () => {
  await using lane = setUp(() => Promise.reject(new Error('nothing was claimed')))
  await lane.worker.advance({ ...delivery, slice: 3 })
  expect([lane.store.claim.mock.calls.length, lane.failures]).toEqual([1, []])
})

test('a draining process accepts no delivery', async () => {
  await using lane = setUp(async () => ({ kind: 'ended' }))
  await lane.active.drain(0)
  await expect(lane.worker.advance(delivery)).rejects.toThrow('stopping')
  expect(lane.store.claim).not.toHaveBeenCalled()
})

test('a drain that starts between the claim and the turn asks the turn to end', async () => {
  await using lane = setUp(async ({ ending }) => {
    await ending
    return { kind: 'yielded', slice: 1, dueAt: 0 }
  })
  const advanced = lane.worker.advance(delivery)
  await lane.active.drain(0)
  await advanced
  expect(lane.dispatch).toHaveBeenCalledTimes(1)
})

test('a turn whose database fails rejects, so that the engine redelivers', async () => {
  await using lane = setUp(() => Promise.reject(new Error('the database is down')))
  await expect(lane.worker.advance(delivery)).rejects.toThrow('the database is down')
  expect([lane.active.size, lane.failures]).toEqual([0, ['turn of jobs']])
})

test('an unreachable engine leaves the next slice due, and the turn ends normally', async () => {
  await using lane = setUp(async () => ({ kind: 'yielded', slice: 1, dueAt: 0 }))
  lane.dispatch.mockRejectedValue(new EngineUnreachable('it is away'))
  await lane.worker.advance(delivery)
  expect(lane.failures).toEqual(['dispatch: engine unreachable'])
  expect(lane.store.dispatched).not.toHaveBeenCalled()
})

test('a cancel aborts the turn with its reason', async () => {
  await using lane = setUp(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    expect(signal.reason).toEqual(new RunAborted('cancel'))
    return { kind: 'ended' }
  })
  const advanced = lane.worker.advance(delivery)
  await vi.waitFor(() => expect(lane.active.size).toBe(1))
  lane.active.abort(runId, 'cancel')
  await advanced
})
