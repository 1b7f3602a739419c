import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { BusyError } from './busy-error.ts'
import { createHeavyWork, type HeavyWorkLimits } from './heavy-work.ts'
import type { HeavyKind } from './kinds.ts'
import { memoryWithin } from './memory.ts'

const LIMITS = { places: 4, memoryMb: 1_024, waiting: 5, heldBytes: 1_000, patienceMs: 1_000 }

interface Given {
  memoryMb?: number
  heldBytes?: number
  signal?: AbortSignal
}

/** A scheduler whose work ends on request, and the order in which it began. `a script 1` belongs to `a`. */
function open(limits: Partial<HeavyWorkLimits> = {}) {
  const heavy = createHeavyWork({ ...LIMITS, ...limits })
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, given: Given = {}) => {
    const [owner = '', kind = ''] = name.split(' ')
    return heavy.run({ kind: kind as HeavyKind, owner, ...given }, async () => {
      began.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { heavy, run, end, began, settle }
}

test('one owner leaves the last slot to others, and one kind a slot to the other kinds of its owner', async () => {
  const { run, end, began, settle } = open()
  const all = ['a script 1', 'a script 2', 'a script 3', 'a document 1', 'a document 2', 'b script 1'].map(
    (name) => run(name),
  )
  await settle()
  expect(began).toEqual(['a script 1', 'a script 2', 'a document 1', 'b script 1'])
  for (const name of ['b script 1', 'a script 1', 'a document 1', 'a script 2', 'a script 3', 'a document 2'])
    await end(name)
  expect(await Promise.all(all)).toHaveLength(6)
})

test('however much work three tenants have, that of another one begins when the first of theirs ends', async () => {
  const { run, end, began, settle, heavy } = open({ waiting: 500 })
  const flood = ['a', 'b', 'e'].flatMap((owner) =>
    Array.from({ length: 40 }, (_, n) => run(`${owner} script ${n}`)),
  )
  const flooded = Promise.allSettled(flood)
  const late = run('c script 1')
  await settle()
  expect(began).not.toContain('c script 1')
  await end(began[0] ?? '')
  expect(began.at(-1)).toBe('c script 1')
  await end('c script 1')
  expect(await late).toBe('c script 1')
  heavy[Symbol.dispose]()
  for (const name of [...began]) await end(name)
  await flooded
})

test('owners take turns, and so do the kinds of one owner', async () => {
  const { run, end, began, settle } = open({ places: 3, waiting: 500 })
  const names = [
    'a script 1',
    'b script 1',
    'c script 1',
    'a script 2',
    'a script 3',
    'a archive 1',
    'b script 2',
  ]
  const all = names.map((name) => run(name))
  await settle()
  expect(began).toEqual(['a script 1', 'b script 1', 'c script 1'])
  for (const name of ['c script 1', 'b script 1', 'a script 1']) await end(name)
  expect(began.slice(3)).toEqual(['a archive 1', 'b script 2'])
  for (let at = 0; at < names.length; at += 1) await end(began[at] ?? '')
  expect(await Promise.all(all)).toHaveLength(7)
})

test('a full queue is refused as busy, but never the reserved slot of another owner', async () => {
  const { run, end, began, heavy } = open({ places: 3 })
  const running = ['a bundle 1', 'b script 1', 'c script 1'].map((name) => run(name))
  const waiting = ['a bundle 2', 'a bundle 3', 'a bundle 4', 'a bundle 5'].map((name) => run(name))
  const refused = await run('a bundle 6').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(BusyError)
  expect(refused).toMatchObject({ code: 'service_unavailable' })
  waiting.push(run('b script 2'))
  await expect(run('c script 2')).rejects.toThrow('too many scripts')
  const own = [run('d script 1'), run('e script 1')]
  await expect(run('d script 2')).rejects.toThrow(BusyError)
  expect(heavy.counts()).toEqual({ running: 3, waiting: 7 })
  const loadOf = (kind: HeavyKind) => heavy.load().find((one) => one.kind === kind)
  expect(loadOf('bundle')).toMatchObject({ running: 1, waiting: 4, refused: 1 })
  expect(loadOf('script')).toEqual({
    kind: 'script',
    running: 2,
    waiting: 3,
    refused: 2,
    memoryBytes: 2 * 128 * 1024 * 1024,
  })
  for (let at = 0; at < 10; at += 1) await end(began[at] ?? '')
  expect(await Promise.all([...running, ...waiting, ...own])).toHaveLength(10)
  expect(heavy.counts()).toEqual({ running: 0, waiting: 0 })
  expect(loadOf('script')).toMatchObject({ running: 0, waiting: 0, refused: 2, memoryBytes: 0 })
})

test('waiting pieces keep a limited number of bytes, of which another owner has a share', async () => {
  const { run, end, began, settle, heavy } = open({ places: 3, waiting: 500 })
  const refused = (name: string, heldBytes: number) =>
    expect(run(name, { heldBytes }), name).rejects.toThrow(BusyError)
  // Running pieces are limited by their memory.
  const all = ['a script 1', 'b script 1', 'c script 1'].map((name) => run(name, { heldBytes: 5_000 }))
  all.push(run('a script 2', { heldBytes: 900 }))
  await refused('a script 3', 200)
  all.push(run('a script 4', { heldBytes: 100 }))
  all.push(run('d script 1', { heldBytes: 900 }))
  await refused('d script 2', 1)
  await refused('e script 1', 101)
  all.push(run('e script 2', { heldBytes: 100 }))
  await settle()
  expect(heavy.counts()).toEqual({ running: 3, waiting: 4 })
  for (const name of ['b script 1', 'c script 1', 'a script 1']) await end(name)
  // Pieces that have begun, or have left the queue, no longer count.
  all.push(run('f script 1', { heldBytes: 900 }))
  for (let at = 0; at < all.length; at += 1) await end(began[at] ?? '')
  expect(await Promise.all(all)).toHaveLength(8)
  expect(heavy.counts()).toEqual({ running: 0, waiting: 0 })
})

test('an owner that keeps all bytes of the queue refuses neither short pieces of others nor sign-ins', async () => {
  const { run, end, began, settle, heavy } = open({ waiting: 500 })
  const all = ['a script 1', 'a script 2', 'a archive 1', 'nobody password 1'].map((name) => run(name))
  all.push(run('a script 3', { heldBytes: 1_000 }))
  all.push(run('b script 1', { heldBytes: 10 }))
  all.push(run('nobody password 2'))
  // A third of all, because three owners wait.
  all.push(run('b script 2', { heldBytes: 300 }))
  await expect(run('b script 3', { heldBytes: 100 })).rejects.toThrow(BusyError)
  await expect(run('a script 4', { heldBytes: 1 })).rejects.toThrow(BusyError)
  all.push(run('a password 1'))
  await settle()
  expect(heavy.counts()).toEqual({ running: 4, waiting: 5 })
  for (let at = 0; at < all.length; at += 1) await end(began[at] ?? '')
  expect(await Promise.all(all)).toHaveLength(9)
})

test('one tenant reads one large document at a time, and half of the memory stays for others', async () => {
  const { run, end, began, settle } = open()
  const all = ['a openapi 1', 'a openapi 2', 'b openapi 1', 'c script 1'].map((name) => run(name))
  await settle()
  expect(began).toEqual(['a openapi 1', 'b openapi 1', 'c script 1'])
  for (const name of ['b openapi 1', 'a openapi 1', 'a openapi 2', 'c script 1']) await end(name)
  expect(await Promise.all(all)).toHaveLength(4)
})

test('a large piece is passed by a few small ones only', async () => {
  const { run, end, began, settle } = open({ places: 8, memoryMb: 1_100, waiting: 500 })
  const all: Promise<string>[] = []
  const small = (n: number) => run(`s${n} script 1`, { memoryMb: 300 })
  for (let n = 0; n < 3; n += 1) all.push(small(n))
  all.push(run('large openapi 1'))
  for (let n = 3; n < 60; n += 1) all.push(small(n))
  for (let at = 0; !began.includes('large openapi 1'); at += 1) await end(began[at] ?? '')
  expect(began.indexOf('large openapi 1')).toBeLessThan(25)
  for (let at = 0; at < 61; at += 1) await end(began[at] ?? '')
  await settle()
  expect(await Promise.all(all)).toHaveLength(61)
})

test('a large piece of an owner with many small ones begins after a few of them', async () => {
  const { run, end, began, settle } = open({ places: 4, memoryMb: 1_100, waiting: 500 })
  const all = [run('a script 0'), run('a openapi 1', { memoryMb: 512 })]
  for (let n = 1; n < 45; n += 1) all.push(run(`a script ${n}`))
  await settle()
  for (let at = 0; at < 30; at += 1) await end(began[at] ?? '')
  expect(began.indexOf('a openapi 1')).toBeGreaterThan(0)
  expect(began.indexOf('a openapi 1')).toBeLessThan(25)
  for (let at = 0; at < 46; at += 1) await end(began[at] ?? '')
  await settle()
  expect(await Promise.all(all)).toHaveLength(46)
})

test('a piece that may need more than the total memory begins alone', async () => {
  const { run, end, began, settle } = open({ memoryMb: 212 })
  const all = [run('a script 1'), run('b document 1', { memoryMb: 256 })]
  await settle()
  expect(began).toEqual(['a script 1'])
  await end('a script 1')
  all.push(run('c script 1'))
  await settle()
  expect(began).toEqual(['a script 1', 'b document 1'])
  await end('b document 1')
  await end('c script 1')
  expect(await Promise.all(all)).toHaveLength(3)
})

test.each([
  // The documented containers, a large machine, and one that is too small.
  [
    512,
    {
      budgetMb: 212,
      parserMb: 192,
      parserHeapMb: 152,
    },
  ],
  [
    1_024,
    {
      budgetMb: 724,
      parserMb: 362,
      parserHeapMb: 322,
    },
  ],
  [
    24_000,
    {
      budgetMb: 1_024,
      parserMb: 384,
      parserHeapMb: 344,
    },
  ],
  [
    256,
    {
      budgetMb: 192,
      parserMb: 192,
      parserHeapMb: 152,
    },
  ],
])('within %i MB, heavy work leaves memory to the server', (limitMb, expected) => {
  expect(memoryWithin(limitMb * 1024 * 1024)).toEqual(expected)
})

test('at most two passwords are hashed at the same time, over all owners', async () => {
  const { run, end, began, settle } = open()
  const all = ['a', 'b', 'c'].map((owner) => run(`${owner} password 1`))
  await settle()
  expect(began).toHaveLength(2)
  for (let at = 0; at < 3; at += 1) await end(began[at] ?? '')
  expect(await Promise.all(all)).toHaveLength(3)
})

test('failed work frees its slot', async () => {
  const { heavy } = open()
  const piece = { kind: 'script', owner: 'a' } as const
  await expect(heavy.run(piece, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(heavy.counts()).toEqual({ running: 0, waiting: 0 })
})

test('work that waits too long, or is cancelled, leaves the queue; the next work begins', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { run, end, settle, heavy } = open({ places: 3 })
  const running = ['a script 1', 'b script 1', 'c script 1'].map((name) => run(name))
  const late = expect(run('a script 2')).rejects.toThrow(BusyError)
  vi.advanceTimersByTime(1_000)
  await late
  const cancel = new AbortController()
  const cancelled = expect(run('d script 1', { signal: cancel.signal })).rejects.toThrow('cancelled')
  cancel.abort(new Error('cancelled'))
  await cancelled
  await expect(run('e script 1', { signal: cancel.signal })).rejects.toThrow('cancelled')
  for (const name of ['a script 1', 'b script 1', 'c script 1']) await end(name)
  await Promise.all(running)
  await settle()
  expect(heavy.counts()).toEqual({ running: 0, waiting: 0 })
  vi.useRealTimers()
})

test('disposing refuses waiting and new work, and lets running work end', async () => {
  const { run, end, heavy } = open({ places: 3 })
  const running = ['a script 1', 'b script 1', 'c script 1'].map((name) => run(name))
  const waiting = expect(run('d script 1')).rejects.toThrow('is stopping')
  heavy[Symbol.dispose]()
  await waiting
  await expect(run('e script 1')).rejects.toThrow(BusyError)
  for (const name of ['a script 1', 'b script 1', 'c script 1']) await end(name)
  expect(await Promise.all(running)).toHaveLength(3)
})

test('the limits always hold, and everything that was accepted ends', async () => {
  const piece = fc.record({
    owner: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom<HeavyKind>('script', 'openapi', 'bundle', 'document', 'archive', 'password'),
    turns: fc.integer({ min: 0, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
      const heavy = createHeavyWork(LIMITS)
      const running = new Map<string, number>()
      const outcomes = await Promise.allSettled(
        pieces.map(({ owner, kind, turns }) =>
          heavy.run({ owner, kind }, async () => {
            running.set(owner, (running.get(owner) ?? 0) + 1)
            const all = [...running.values()]
            expect(all.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(LIMITS.places)
            expect(Math.max(...all)).toBeLessThan(LIMITS.places)
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
            running.set(owner, (running.get(owner) ?? 0) - 1)
          }),
        ),
      )
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(BusyError)
      }
      expect(heavy.counts()).toEqual({ running: 0, waiting: 0 })
    }),
    { numRuns: 200 },
  )
})
