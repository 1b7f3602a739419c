import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Semaphore, SemaphoreClosed } from './semaphore.ts'

const pause = (ticks: number) =>
  Array.from({ length: ticks }).reduce<Promise<void>>((before) => before.then(() => {}), Promise.resolve())

test('work starts in order, never more than the limit concurrently, and all of it ends', async () => {
  const durations = fc.array(fc.nat(6), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(durations, fc.integer({ min: 1, max: 5 }), async (items, limit) => {
      const places = new Semaphore(limit)
      const started: number[] = []
      let running = 0
      let most = 0
      const work = async (ticks: number, index: number) => {
        started.push(index)
        running += 1
        most = Math.max(most, running)
        await pause(ticks)
        running -= 1
      }
      await Promise.all(items.map((ticks, index) => places.run(() => work(ticks, index))))
      expect(started).toEqual(items.map((_, index) => index))
      expect(most).toBe(Math.min(limit, items.length))
      expect([running, places.waiting]).toEqual([0, 0])
    }),
  )
})

test('a failure passes its slot to the next in line', async () => {
  const places = new Semaphore(1)
  const first = places.run(() => Promise.reject(new Error('first')))
  const second = places.run(async () => 'second')
  expect(places.waiting).toBe(1)
  await expect(first).rejects.toThrow('first')
  expect(await second).toBe('second')
  expect(await places.run(async () => 'third')).toBe('third')
})

test('a slot taken without waiting is released once', async () => {
  const places = new Semaphore(1)
  const leave = places.tryEnter()
  expect(leave).not.toBeNull()
  expect(places.tryEnter()).toBeNull()
  leave?.()
  leave?.()
  const [one, other] = [places.tryEnter(), places.tryEnter()]
  expect([one !== null, other]).toEqual([true, null])
})

test('a closed semaphore refuses waiting and new work, and waits for the running work', async () => {
  const places = new Semaphore(1)
  const { promise, resolve } = Promise.withResolvers<string>()
  const under = places.run(() => promise)
  const waiting = places.run(async () => 'never')
  let isClosed = false
  const closed = places.close().then(() => {
    isClosed = true
  })
  await expect(waiting).rejects.toThrow(SemaphoreClosed)
  await expect(places.run(async () => 'never')).rejects.toThrow(SemaphoreClosed)
  expect([places.tryEnter(), isClosed]).toEqual([null, false])
  resolve('done')
  expect(await under).toBe('done')
  await closed
})
