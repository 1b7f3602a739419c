import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { exchange } from './exchange.ts'

/** A connection that a test controls, with counts of its pauses and resumes. */
function connection() {
  const counts = { paused: 0, resumed: 0, aborted: 0 }
  const controller = {
    pause() {
      counts.paused += 1
    },
    resume() {
      counts.resumed += 1
    },
    abort() {
      counts.aborted += 1
    },
  } as unknown as Dispatcher.DispatchController
  let handler: Dispatcher.DispatchHandler = {}
  const dispatcher = {
    dispatch: (_: unknown, given: Dispatcher.DispatchHandler) => {
      handler = given
      return true
    },
  } as unknown as Dispatcher
  return {
    counts,
    dispatcher,
    start: () => {
      handler.onRequestStart?.(controller, {})
      handler.onResponseStart?.(controller, 200, {}, 'OK')
    },
    begin: () => handler.onRequestStart?.(controller, {}),
    data: (bytes: number) => handler.onResponseData?.(controller, Buffer.alloc(bytes)),
    end: () => handler.onResponseEnd?.(controller, {}),
  }
}

const ADDRESS = new URL('http://127.0.0.1/')
const sent = () => new Promise((resolve) => setImmediate(resolve))

test('an unread body is read ahead by 64 KB, and continues once it is read', async () => {
  const { counts, dispatcher, start, data, end } = connection()
  const response = exchange(ADDRESS, {}, dispatcher)
  await sent()
  start()
  const reader = (await response).body?.getReader()
  data(60_000)
  expect(counts.paused).toBe(0)
  data(10_000)
  expect(counts.paused).toBe(1)
  const before = counts.resumed
  await reader?.read()
  await reader?.read()
  expect(counts.resumed).toBeGreaterThan(before)
  end()
  expect(await reader?.read()).toEqual({ done: true, value: undefined })
})

test('a request that is given up while it waits for a connection is ended as soon as it has one', async () => {
  const { counts, dispatcher, begin } = connection()
  const abort = new AbortController()
  const response = exchange(ADDRESS, { signal: abort.signal }, dispatcher)
  await sent()
  const reason = new Error('cancelled')
  abort.abort(reason)
  await expect(response).rejects.toBe(reason)
  expect(counts.aborted).toBe(0)
  begin()
  expect(counts.aborted).toBe(1)
})
