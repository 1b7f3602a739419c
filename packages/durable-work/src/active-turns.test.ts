import { newId, RunId } from '@troupe/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ActiveTurns } from './active-turns.ts'
import type { RunAborted } from './interruption.ts'
import type { Signal } from './signals.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const [r1, r2, r3] = [newId(RunId), newId(RunId), newId(RunId)]

type Ended = { runId: RunId; reason: 'cancel' | 'lost' }

function setUp(ended: (ids: readonly RunId[]) => Ended[] = () => []) {
  const listeners = new Set<(signal: Signal) => void>()
  const send = (signal: Signal) => {
    for (const listener of listeners) listener(signal)
  }
  const renewals: string[] = []
  const active = new ActiveTurns<RunId>({
    workerId: 'w1',
    telemetry: { backgroundFailed() {} },
    cancelSignal: 'run_cancelled',
    store: {
      ended: async (_workerId, ids) => ended(ids),
      renewLeases: async (workerId) => void renewals.push(workerId),
    },
    signals: {
      publish: async (signal) => send(signal),
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      [Symbol.asyncDispose]: async () => {},
    },
  })
  const run = (id: RunId) => {
    const controller = new AbortController()
    const settled = new Promise<void>((resolve) =>
      controller.signal.addEventListener('abort', () => resolve()),
    )
    active.add(id, controller, settled)
    return controller.signal
  }
  return {
    active,
    run,
    renewals,
    listeners,
    send,
  }
}

const reason = (signal: AbortSignal) => (signal.reason as RunAborted | undefined)?.reason

test('a cancel from any process aborts the named run and no other', async () => {
  const { run, send } = setUp()
  const [first, second] = [run(r1), run(r2)]
  send({ kind: 'run_cancelled', runId: r1 })
  expect([reason(first), reason(second)]).toEqual(['cancel', undefined])
})

test('a lost notification costs one poll, which distinguishes a cancel from a job of another worker', async () => {
  const { run } = setUp(() => [
    { runId: r1, reason: 'cancel' },
    { runId: r3, reason: 'lost' },
  ])
  const signals = [r1, r2, r3].map(run)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(signals.map(reason)).toEqual(['cancel', undefined, 'lost'])
})

test('leases are renewed only while something runs', async () => {
  const { run, renewals, send } = setUp()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(renewals).toEqual([])
  run(r1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(renewals).toEqual(['w1'])
  send({ kind: 'run_cancelled', runId: r1 })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(renewals).toEqual(['w1'])
})

test('a drain waits for its grace period, then aborts the remaining turns and waits for their end', async () => {
  const { active, run } = setUp()
  const signal = run(r1)
  const drained = active.drain(5_000)
  expect(active.draining).toBe(true)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await drained
  expect(reason(signal)).toBe('shutdown')
  expect(active.size).toBe(0)
})

test('disposing ends every timer and subscription', async () => {
  const { active, listeners } = setUp()
  await active[Symbol.asyncDispose]()
  expect(listeners.size).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('a drain asks jobs to end their turn immediately', async () => {
  const { active } = setUp()
  let end = () => {}
  const settled = new Promise<void>((resolve) => {
    end = resolve
  })
  const controller = new AbortController()
  active.add(r1, controller, settled, end)
  await active.drain(5_000)
  expect(controller.signal.aborted).toBe(false)
})

test('the next turn of a job may start before the previous one, which has lost it, is removed', async () => {
  const { active } = setUp()
  const controllers = [new AbortController(), new AbortController()] as const
  let end = () => {}
  const first = new Promise<void>((resolve) => {
    end = resolve
  })
  active.add(r1, controllers[0], first)
  active.add(r1, controllers[1], new Promise<void>(() => {}))
  end()
  await first
  await Promise.resolve()
  active.abort(r1, 'cancel')
  expect(controllers.map(({ signal }) => signal.reason.reason)).toEqual(['lost', 'cancel'])
})
