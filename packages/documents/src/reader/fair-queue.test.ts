import { expect, test, vi } from 'vitest'
import { DocumentsBusyError, FairQueue } from './fair-queue.ts'

const LIMITS = { working: 1, waiting: 5, waitingOfGroup: 3, patienceMs: 1_000 }

/** A queue whose work ends when it is told to, and the order in which it began. */
function openQueue(limits = LIMITS) {
  const queue = new FairQueue(limits)
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string) =>
    queue.run(name.charAt(0), async () => {
      began.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  const end = async (name: string) => {
    await new Promise((resolve) => setImmediate(resolve))
    ends.get(name)?.()
  }
  return { queue, run, end, began }
}

test('groups take turns, whatever the order in which they came', async () => {
  const { run, end, began } = openQueue()
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(run)
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']) await end(name)
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1'])
})

test('a group has only so many places to wait, and all together only so many', async () => {
  const { run, end } = openQueue()
  const started = run('a1')
  const waiting = ['a2', 'a3', 'a4'].map(run)
  await expect(run('a5')).rejects.toThrow(DocumentsBusyError)
  waiting.push(run('b1'), run('c1'))
  await expect(run('d1')).rejects.toThrow('too many documents are waiting')
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']) await end(name)
  expect(await Promise.all([started, ...waiting])).toHaveLength(6)
})

test('work that fails frees its place', async () => {
  const { queue } = openQueue()
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run('a', async () => 1)).toBe(1)
})

test('a document that has waited too long leaves its place to others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { run, end } = openQueue({ ...LIMITS, waiting: 1 })
  const started = run('a1')
  const late = expect(run('b1')).rejects.toThrow('waited too long')
  vi.advanceTimersByTime(1_000)
  await late
  const next = run('c1')
  await end('a1')
  await end('c1')
  expect(await Promise.all([started, next])).toEqual(['a1', 'c1'])
  vi.useRealTimers()
})

test('a closed queue refuses who waits and who comes, and lets the work end', async () => {
  const { queue, run, end } = openQueue()
  const started = run('a1')
  const waiting = expect(run('b1')).rejects.toThrow(DocumentsBusyError)
  queue.close()
  await waiting
  await expect(run('c1')).rejects.toThrow('the queue of documents is closed')
  await end('a1')
  expect(await started).toBe('a1')
})
