import { expect, test } from 'vitest'
import { TestClock } from './test-clock.ts'

test('advancing the clock runs the tasks due in the meantime, in order and at their time', () => {
  const clock = new TestClock({ speed: 0 })
  const from = clock.now()
  const ran: [string, number][] = []
  const note = (name: string) => () => ran.push([name, clock.now() - from])
  clock.schedule(200, note('second'))
  clock.schedule(100, () => {
    note('first')()
    clock.schedule(50, note('between'))
  })
  clock.schedule(301, note('late'))
  clock.schedule(10, note('cancelled'))()
  clock.advance(300)
  expect(ran).toEqual([
    ['first', 100],
    ['between', 150],
    ['second', 200],
  ])
  expect([clock.now() - from, clock.pending()]).toEqual([300, 1])
})

test('a clock that advances by itself runs due tasks', async () => {
  const clock = new TestClock({ speed: 1_000 })
  await new Promise<void>((resolve) => clock.schedule(5_000, resolve))
  expect(clock.pending()).toBe(0)
})

test('a clock may be moved to a time and back', () => {
  const clock = new TestClock({ speed: 0 })
  const from = clock.now()
  clock.moveTo(from + 60_000)
  expect(clock.now()).toBe(from + 60_000)
  clock.reset()
  expect(clock.now()).toBe(from)
})
