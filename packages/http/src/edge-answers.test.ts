import { once } from 'node:events'
import { METHODS } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server[Symbol.asyncDispose]())

/** Sends raw bytes; returns the status and the error code of the response. */
async function send(request: string): Promise<[number, string]> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(request)
  const answer = await text(socket)
  const body: { error?: string } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
  return [Number(answer.split(' ', 2)[1]), body.error ?? '']
}
const CLOSE = 'Connection: close\r\n\r\n'

test.each([
  [
    'a URL beyond what headers may have',
    `GET /healthz?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    414,
  ],
  [
    'a URL beyond what headers may have, for a method with a hyphen',
    `M-SEARCH /healthz?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n${CLOSE}`,
    414,
  ],
  [
    'a header beyond the limit',
    `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n${CLOSE}`,
    431,
  ],
  ['an expectation', `GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: more\r\n${CLOSE}`, 417],
  ['a length that is no number', `GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n${CLOSE}`, 400],
  [
    'two lengths',
    `GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n${CLOSE}`,
    400,
  ],
  [
    'a length beside chunks',
    `GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${CLOSE}`,
    400,
  ],
  ['no Host', `GET /healthz HTTP/1.1\r\n${CLOSE}`, 400],
])('%s is reported in JSON', async (_name, request, status) => {
  const codes: Record<number, string> = {
    400: 'validation_error',
    405: 'method_not_allowed',
    414: 'uri_too_long',
    417: 'expectation_failed',
    431: 'headers_too_large',
  }
  expect(await send(request)).toEqual([status, codes[status]])
})

// CONNECT requests a tunnel: Node closes its connection.
const WRONG = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method))

test('no HTTP method treats a path as one that does not exist', async () => {
  for (const method of WRONG) {
    const answer = await send(`${method} /healthz HTTP/1.1\r\nHost: a\r\n${CLOSE}`)
    expect([method, ...answer]).toEqual([method, 405, 'method_not_allowed'])
  }
})
