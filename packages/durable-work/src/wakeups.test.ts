import { newId, WorkflowRunId } from '@troupe/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Signal, Signals } from './signals.ts'
import { onSignal, untilFound, Wakeups } from './wakeups.ts'

const A = newId(WorkflowRunId)

// A double of the port that delivers immediately and loses nothing, like the memory of one process.
function broadcast() {
  const listeners = new Set<(signal: Signal) => void>()
  const signals: Pick<Signals, 'subscribe'> = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const publish = (runId: WorkflowRunId) => {
    for (const listener of listeners) listener({ kind: 'workflow_run_ended', runId })
  }
  const about = (runId: WorkflowRunId) =>
    onSignal(signals, (signal) => 'runId' in signal && signal.runId === runId)
  return { listeners, publish, about }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a signal between a read and its wait ends the wait immediately', async () => {
  const { publish, about } = broadcast()
  const rows = [null, 'changed']
  const read = async () => {
    const row = rows.shift() ?? null
    // The change is committed after this read has seen the row, and before its result is examined.
    if (row === null) publish(A)
    return row
  }
  expect(await untilFound({ wakenBy: [about(A)], pollMs: 60_000 }, read)).toBe('changed')
  expect(Date.now()).toBe(0)
})

test('a signal during a wait ends it, and one about another row does not', async () => {
  const { publish, about } = broadcast()
  const reads: number[] = []
  let row: string | null = null
  const read = async () => {
    reads.push(Date.now())
    return row
  }
  const found = untilFound({ wakenBy: [about(A)], pollMs: 1_000 }, read)
  await vi.advanceTimersByTimeAsync(100)
  publish(newId(WorkflowRunId))
  await vi.advanceTimersByTimeAsync(100)
  row = 'changed'
  publish(A)
  expect(await found).toBe('changed')
  expect(reads).toEqual([0, 200])
})

test('a lost signal costs one poll', async () => {
  let row: string | null = null
  const found = untilFound({ wakenBy: [], pollMs: 500 }, async () => row)
  await vi.advanceTimersByTimeAsync(100)
  row = 'changed'
  await vi.advanceTimersByTimeAsync(399)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await found).toBe('changed')
})

test('the last read is at the end of the patience', async () => {
  const reads: number[] = []
  const read = async () => {
    reads.push(Date.now())
    return null
  }
  const found = untilFound({ wakenBy: [], pollMs: 500, giveUpAt: 1_200 }, read)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await found).toBeNull()
  expect(reads).toEqual([0, 500, 1_000, 1_200])
})

test('an abort ends the wait with its reason, and leaves no listener or timer', async () => {
  const { listeners, about } = broadcast()
  const abort = new AbortController()
  const found = untilFound({ wakenBy: [about(A)], pollMs: 1_000, abort: abort.signal }, async () => null)
  const caught = found.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10)
  expect(listeners.size).toBe(1)
  const reason = new Error('gone')
  abort.abort(reason)
  expect(await caught).toBe(reason)
  expect([listeners.size, vi.getTimerCount()]).toEqual([0, 0])
})

test('a wakeup from before the read does not end the wait', async () => {
  const { publish, about } = broadcast()
  using wakeups = new Wakeups([about(A)])
  publish(A)
  wakeups.reading()
  let isOver = false
  const waited = wakeups.wait(300).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(299)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await waited
})
