import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventLoopTurns } from './event-loop-turns.ts'

/** Holds the event loop. */
function compute(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

test('statements that hold the event loop let other work in between', async () => {
  const turns = new EventLoopTurns()
  let others = 0
  const other = setInterval(() => {
    others += 1
  }, 1)
  for (let statement = 0; statement < 20; statement += 1) {
    await turns.beforeStatement()
    compute(4)
  }
  clearInterval(other)
  // 80 ms of statements, of which at most 10 and the last one go without a turn.
  expect(others).toBeGreaterThanOrEqual(4)
})

test('short statements do not wait for a turn', async () => {
  const turns = new EventLoopTurns()
  let turned = false
  setImmediate(() => {
    turned = true
  })
  for (let statement = 0; statement < 20; statement += 1) await turns.beforeStatement()
  expect(turned).toBe(false)
})

test('a turn of the loop starts a new stretch', async () => {
  const turns = new EventLoopTurns()
  await turns.beforeStatement()
  compute(15)
  await nextTurn()
  let turned = false
  setImmediate(() => {
    turned = true
  })
  await turns.beforeStatement()
  expect(turned).toBe(false)
})
