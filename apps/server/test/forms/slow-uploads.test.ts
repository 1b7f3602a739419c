import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SlowUploads } from '@troupe/http/slow-uploads'
import { seedForm } from '@troupe/test-kit/seed-form'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FormServer, startFormServer } from './form-setting.ts'

/** At most a hundredth of the production limits. */
const LIMITS = { requestMs: 400, checkMs: 50, bytesPerSecond: 1_000, longestMs: 2_500, perNetwork: 3 }
const slowUploads = new SlowUploads(LIMITS)
let server: FormServer
let port: number
let token: string
beforeAll(async () => {
  server = await startFormServer({ overrides: { slowUploads } })
  token = (
    await seedForm(server.context, {
      organizationId: server.seed.organizationId,
      fields: [{ name: 'cv', label: 'CV', type: 'file' }],
    })
  ).token
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  slowUploads[Symbol.dispose]()
})

const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const TAIL = '\r\n--b--\r\n'
const uploadPath = () => `/api/v1/forms/${token}/upload?field=cv`

interface Sending {
  socket: Socket
  /** The complete response, and the time until the server closed the connection. */
  closed: Promise<{ ms: number; answer: string }>
  answered: () => string
}

/** Sends `bytes` in pieces, `pieceBytes` every 50 ms, until the connection is closed. */
function drip(path: string, type: string, bytes: number, pieceBytes: number, begin = HEAD): Sending {
  const from = performance.now()
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  let rest = bytes
  const length = begin.length + bytes + TAIL.length
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${begin}`,
  )
  const timer = setInterval(() => {
    const piece = Math.min(pieceBytes, rest)
    if (piece > 0) socket.write('a'.repeat(piece))
    rest -= piece
    if (rest > 0) return
    clearInterval(timer)
    socket.write(TAIL)
  }, 50)
  socket.on('data', (received) => {
    answer += received
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close').then(() => {
    clearInterval(timer)
    return { ms: performance.now() - from, answer }
  })
  return { socket, closed, answered: () => answer }
}

const MULTIPART = 'multipart/form-data; boundary=b'

test('an upload with progress may take longer than any other request', async () => {
  // 24 pieces: three times the timeout, at four times the minimum progress.
  const { socket, answered, closed } = drip(uploadPath(), MULTIPART, 24 * 200, 200)
  await expect.poll(answered, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 201 /)
  expect(answered()).toContain('"sizeBytes":4800')
  // The connection is kept, and the next request on it has the usual timeout.
  socket.write('POST /api/v1/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
  const { answer } = await closed
  expect(answer).toMatch(/HTTP\/1\.1 (401|408) /)
})

test('a stalled upload is aborted with 408', async () => {
  const { closed, socket } = drip(uploadPath(), MULTIPART, 100_000, 0)
  const { ms, answer } = await closed
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*"error":"request_timeout"/s)
  expect(ms).toBeGreaterThanOrEqual(LIMITS.requestMs)
  expect(socket.destroyed).toBe(true)
})

test('an upload below the minimum progress is aborted, even if its sender continues', async () => {
  const { ms, answer } = await drip(uploadPath(), MULTIPART, 100_000, 5).closed
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(ms).toBeLessThan(LIMITS.longestMs)
})

test('an upload is aborted after the max time, despite progress', async () => {
  const { ms, answer } = await drip(uploadPath(), MULTIPART, 1_000_000, 200).closed
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(ms).toBeGreaterThanOrEqual(LIMITS.longestMs)
})

test('other bodies keep their timeout, as do uploads to a missing form', async () => {
  const sent = [
    drip(`/api/v1/forms/${token}/submit`, 'application/json', 1_000_000, 200, '{"name":"'),
    drip(`/forms/${token}`, 'application/x-www-form-urlencoded', 1_000_000, 200, 'name='),
    drip('/api/v1/forms/unknown/upload?field=cv', MULTIPART, 1_000_000, 200),
  ]
  for (const { closed } of sent) {
    const { ms, answer } = await closed
    expect(answer).toMatch(/^HTTP\/1\.1 (408|404) /)
    expect(ms).toBeLessThan(LIMITS.longestMs)
  }
})

test('one network has few concurrent slow uploads; further ones have the usual timeout', async () => {
  const sent = Array.from({ length: 6 }, () => drip(uploadPath(), MULTIPART, 24 * 200, 200))
  await expect
    .poll(() => sent.filter(({ answered }) => /^HTTP\/1\.1 201 /.test(answered())).length, {
      timeout: 10_000,
    })
    .toBe(3)
  const ended = sent.filter(({ answered }) => answered().startsWith('HTTP/1.1 408 '))
  expect(ended).toHaveLength(3)
  for (const { socket } of sent) socket.destroy()
})
