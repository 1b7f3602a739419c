import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
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
  // 80 ms of statements, of which at most 10 ms and the last statement run without a turn.
  expect(others).toBeGreaterThanOrEqual(4)
})

/** Code beside a statement that sends a request after some steps without I/O. */
async function send(order: string[]): Promise<void> {
  for (let step = 0; step < 100; step += 1) await null
  order.push('request')
}

async function statement(turns: EventLoopTurns, order: string[]): Promise<void> {
  await turns.beforeStatement()
  order.push('statement')
}

test('a request sent beside the first statement of a stretch leaves before the statement runs', async () => {
  const order: string[] = []
  await Promise.all([statement(new EventLoopTurns(), order), send(order)])
  expect(order).toEqual(['request', 'statement'])
})

/** Like undici on an idle connection: `scheduleIdleSocketValidation` in its lib/dispatcher/client-h1.js. */
async function sendOnIdleConnection(order: string[]): Promise<void> {
  for (let step = 0; step < 100; step += 1) await null
  await nextTurn()
  order.push('request')
}

test('a request on an idle connection, which its client checks for a turn, leaves before the statement runs', async () => {
  const order: string[] = []
  await Promise.all([statement(new EventLoopTurns(), order), sendOnIdleConnection(order)])
  expect(order).toEqual(['request', 'statement'])
})

test('the statements of a request that arrives directly behind a statement are a new stretch', async () => {
  const turns = new EventLoopTurns()
  const order: string[] = []
  const done = Promise.withResolvers<void>()
  const server = createServer((accepted) => {
    accepted.once('data', () => {
      Promise.all([statement(turns, order), sendOnIdleConnection(order)]).then(
        () => done.resolve(),
        done.reject,
      )
      accepted.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const caller = connect(port, '127.0.0.1')
  await once(server, 'connection')
  await turns.beforeStatement()
  caller.write('request')
  await done.promise
  server.close()
  expect(order).toEqual(['request', 'statement'])
})

test('short statements behind the first one do not wait for a turn', async () => {
  const turns = new EventLoopTurns()
  const order: string[] = []
  await turns.beforeStatement()
  await Promise.all([statement(turns, order), statement(turns, order), send(order)])
  expect(order).toEqual(['statement', 'statement', 'request'])
})

test('a turn of the loop starts a new stretch', async () => {
  const turns = new EventLoopTurns()
  const order: string[] = []
  await turns.beforeStatement()
  await nextTurn()
  await nextTurn()
  await Promise.all([statement(turns, order), send(order)])
  expect(order).toEqual(['request', 'statement'])
})
