import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MB = 1024 * 1024

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server[Symbol.asyncDispose]())

/** Announces a body and sends megabytes of it, reading nothing meanwhile; what could be read then, and how many were taken. */
async function send(announced: number, megabytes: number): Promise<{ answer: string; sent: number }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.pause()
  socket.write(
    `POST /api/v1/agents/${server.seed.agents.organization}/run HTTP/1.1\r\nHost: a\r\nX-API-Key: ${server.seed.keys.organization}\r\n` +
      `Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${announced * MB}\r\n\r\n`,
  )
  let sent = 0
  for (; sent < megabytes && socket.writable; sent += 1) {
    await new Promise((resolve) => socket.write(Buffer.alloc(MB, 'x'), resolve))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes))
  socket.once('end', () => socket.end())
  socket.resume()
  await closed
  return { answer, sent }
}

test('a sender that is still writing a body over the limit reads why it is refused', async () => {
  const { answer, sent } = await send(4, 4)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('payload_too_large')
  expect(sent).toBe(4)
})

test('a body without an end is cut', async () => {
  const { sent } = await send(1_000, 1_000)
  expect(sent).toBeLessThan(32)
})

test('a sender that waits for the answer gets it, and its connection is closed', async () => {
  const { answer } = await send(4, 0)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})
