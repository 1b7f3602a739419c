import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHeavyWork } from '@troupe/heavy-work'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSourceCheck } from '../create-source-check.ts'

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

test('the document at an address is read, and what is left out of it has a reason', async () => {
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

test('an address that nobody answers at ends with the signal', async () => {
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
