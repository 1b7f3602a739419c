import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { seedForm } from '@troupe/test-kit/seed-form'
import { ownOrigin } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const MB = 1024 * 1024

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server[Symbol.asyncDispose]())

/** The destination of a body, with its headers. */
type Target = readonly [path: string, ...headers: string[]]
const FORM = 'Content-Type: application/x-www-form-urlencoded'

const anAgent = (): Target => [
  `/api/v1/agents/${server.seed.agents.organization}/run`,
  `X-API-Key: ${server.seed.keys.organization}`,
  'Content-Type: application/json',
]

async function aForm(): Promise<Target> {
  const { token } = await seedForm(server.context, { organizationId: server.seed.organizationId })
  return [`/forms/${token}`, FORM]
}

/**
 * Announces a body and sends megabytes of it without reading; returns the readable response, and the number of accepted
 * bytes.
 */
async function send(
  [path, ...headers]: Target,
  announced: number,
  megabytes: number,
  { keepsAlive = false, begin = '' }: { keepsAlive?: boolean; begin?: string } = {},
): Promise<{ answer: string; sent: number }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.pause()
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers.map((header) => `${header}\r\n`).join('')}` +
      `Connection: ${keepsAlive ? 'keep-alive' : 'close'}\r\nContent-Length: ${announced * MB + begin.length}\r\n\r\n${begin}`,
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

test('a sender that is still writing a body over the limit reads the reason for its refusal', async () => {
  const { answer, sent } = await send(anAgent(), 4, 4)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('payload_too_large')
  expect(sent).toBe(4)
})

test('a visitor who is still sending a form over the limit reads the reason for its refusal', async () => {
  const { answer, sent } = await send(await aForm(), 4, 4)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('That was too large')
  expect(sent).toBe(4)
})

test('a visitor who is signed out while still sending a form is redirected to the sign-in page', async () => {
  const { answer, sent } = await send(['/account', FORM, `Origin: ${ownOrigin(server)}`], 4, 4)
  expect(answer).toMatch(/^HTTP\/1\.1 303 /)
  expect(answer).toMatch(/^location: \/sign-in/im)
  expect(sent).toBe(4)
})

test('an endless body is cut off', async () => {
  // The clock is stopped, so that no timeout ends it.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const { sent } = await send(anAgent(), 1_000, 64)
  expect(sent).toBeLessThan(32)
})

test('a sender that waits for the answer gets it, and its connection is closed', async () => {
  const { answer } = await send(anAgent(), 4, 0)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

test.for([
  ['a name of another type', 'attachment', 'invoice.exe'],
  ['no field of the form', 'nothing', 'invoice.txt'],
] as const)('an upload that is refused for %s closes its connection, which would not be read again', async ([
  ,
  field,
  filename,
]) => {
  const { token } = await seedForm(server.context, {
    organizationId: server.seed.organizationId,
    fields: [{ name: 'attachment', type: 'file', label: 'File', accept: '.txt' }],
  })
  const begin = `--b\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n`
  const path = `/api/v1/forms/${token}/upload?field=${field}`
  const target = [path, 'Content-Type: multipart/form-data; boundary=b'] as const
  const { answer } = await send(target, 4, 4, { keepsAlive: true, begin })
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer).toMatch(/^connection: close/im)
})
