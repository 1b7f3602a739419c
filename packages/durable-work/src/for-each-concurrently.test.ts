import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forEachConcurrently } from './for-each-concurrently.ts'

const pause = (ticks: number) =>
  Array.from({ length: ticks }).reduce<Promise<void>>((before) => before.then(() => {}), Promise.resolve())

test('items start in order, never more than the limit concurrently, and all of them end', async () => {
  const durations = fc.array(fc.nat(6), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(durations, fc.integer({ min: 1, max: 5 }), async (items, limit) => {
      const started: number[] = []
      let running = 0
      let most = 0
      await forEachConcurrently(items, limit, async (ticks, index) => {
        started.push(index)
        running += 1
        most = Math.max(most, running)
        await pause(ticks)
        running -= 1
      })
      expect(started).toEqual(items.map((_, index) => index))
      expect(most).toBe(Math.min(limit, items.length))
      expect(running).toBe(0)
    }),
  )
})

test('after a failure no further item starts, and the running ones are awaited before it is thrown', async () => {
  const log: string[] = []
  const done = forEachConcurrently(['slow', 'bad', 'never'], 2, async (item) => {
    log.push(`start ${item}`)
    await pause(item === 'slow' ? 5 : 1)
    if (item === 'bad') throw new Error('bad')
    log.push(`end ${item}`)
  })
  await expect(done).rejects.toThrow('bad')
  expect(log).toEqual(['start slow', 'start bad', 'end slow'])
})
