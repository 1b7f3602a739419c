import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHeavyWork } from '@troupe/heavy-work'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSourceCheck } from '../create-source-check.ts'
import { fetchDocument } from './fetch-document.ts'

let server: Server
let answer: RequestListener
let origin: string
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const check = createSourceCheck(
  { problemOf: async () => null },
  { heavy: createHeavyWork(), fetch: globalThis.fetch },
)
const findings = (operations: string[] | null, signal = AbortSignal.timeout(10_000)) =>
  check.addressFindings({ address: origin, operations, owner: 'o' }, signal)
const DOCUMENT = JSON.stringify({
  openapi: '3.0.3',
  servers: [{ url: '/api' }],
  paths: {
    '/a': { get: { operationId: 'a' } },
    '/b': { post: { operationId: 'b', requestBody: { content: { 'image/png': {} } } } },
  },
})

test('the document at an address is read, and its omissions have reasons', async () => {
  answer = (_, response) => response.end(DOCUMENT)
  const reason = 'Its body is image/png, which is not supported.'
  expect(await findings(null)).toEqual({
    problem: null,
    leftOut: [{ name: 'b', reason }],
  })
  expect(await findings(['a'])).toEqual({ problem: null, leftOut: [] })
})

test.each<[string, RequestListener, string]>([
  [
    'a status',
    (_, response) => void response.writeHead(404).end(),
    'The address of the document answered with status 404.',
  ],
  [
    'a page',
    (_, response) => void response.end('<!doctype html><title>Sign in</title>'),
    'The document is neither JSON nor YAML.',
  ],
  [
    'a connection that breaks',
    (request) => void request.socket.destroy(),
    'The document could not be fetched: the connection was closed early.',
  ],
  [
    'more than 16 MB',
    (_, response) => {
      const chunk = 'x'.repeat(1024 * 1024)
      for (let sent = 0; sent < 17; sent += 1) response.write(chunk)
      response.end()
    },
    'The document is larger than 16 MB.',
  ],
])('%s instead of a document is a sentence', async (_, listener, problem) => {
  answer = listener
  expect(await findings(null)).toEqual({ problem, leftOut: [] })
})

test('an address without an answer ends with the signal', async () => {
  answer = () => {}
  const limit = new AbortController()
  const reading = findings(null, limit.signal)
  await once(server, 'request')
  limit.abort()
  expect(await reading).toEqual({ problem: 'It was not read in time.', leftOut: [] })
  expect(await findings(null, limit.signal)).toMatchObject({
    problem: 'It was not read in time.',
  })
})

/** A response whose body is requested in chunks, and the number of chunks requested so far. */
function slowBody(headers: Record<string, string> = {}) {
  const state = { asked: 0, next: () => {} }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.asked += 1
        return new Promise((resolve) => {
          state.next = () => {
            controller.close()
            resolve()
          }
        })
      },
    },
    { highWaterMark: 0 },
  )
  return { state, response: new Response(body, { headers }) }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('of one owner two documents of unknown length are read into memory concurrently, of all owners four, and short ones together', async () => {
  using heavy = createHeavyWork()
  const start = (owner: string, headers?: Record<string, string>) => {
    const { state, response } = slowBody(headers)
    const signal = AbortSignal.timeout(60_000)
    const read = fetchDocument(
      { heavy, owner, fetch: async () => response },
      { address: 'https://api.example/openapi.json', allowed: null, signal },
    )
    return { state, read }
  }
  const many = Array.from({ length: 64 }, () => start('a'))
  const others = ['b', 'c'].flatMap((owner) => [start(owner), start(owner)])
  await settle()
  const reading = (all: typeof many) => all.filter(({ state }) => state.asked > 0).length
  expect([reading(many), reading(others)]).toEqual([2, 2])
  expect(heavy.counts()).toEqual({ running: 4, waiting: 64 })
  const all = [...many, ...others]
  for (let ended = 0; ended < all.length; ended += 1) {
    all.find(({ state }) => state.asked === 1)?.state.next()
    const next = all.find(({ state }) => state.asked === 1)
    if (next) next.state.asked = 2
    await settle()
  }
  for (const { read } of all) expect(await read).toMatchObject({ ok: false })
  const short = Array.from({ length: 20 }, () => start('a', { 'content-length': '1000' }))
  await settle()
  expect(reading(short)).toBe(20)
  for (const { state } of short) state.next()
  await Promise.all(short.map(({ read }) => read))
})

test('the processing of a fetched document ends with the signal of the save', async () => {
  const long = JSON.stringify({ openapi: '3.0.3', info: { description: 'x'.repeat(10_000) }, paths: {} })
  answer = (_, response) => response.end(long)
  using heavy = createHeavyWork({ places: 3, patienceMs: 60_000 })
  const held = Promise.withResolvers<void>()
  const blocking = ['x', 'y', 'z'].map((owner) => heavy.run({ kind: 'script', owner }, () => held.promise))
  const limit = new AbortController()
  const owned = createSourceCheck({ problemOf: async () => null }, { heavy, fetch: globalThis.fetch })
  const reading = owned.addressFindings({ address: origin, operations: null, owner: 'o' }, limit.signal)
  await vi.waitFor(() => expect(heavy.counts()).toEqual({ running: 4, waiting: 1 }))
  limit.abort()
  expect(await reading).toEqual({ problem: 'It was not read in time.', leftOut: [] })
  await settle()
  expect(heavy.counts()).toEqual({ running: 3, waiting: 0 })
  held.resolve()
  await Promise.all(blocking)
})
