import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EventStream } from '../event-streams/event-stream.ts'
import { onClosed } from './on-closed.ts'

const server = createServer()
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

/** A request of a client that can disconnect, as the server has it. */
async function arrived() {
  const client = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  client.on('error', () => {})
  client.end()
  const [incoming, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { client, incoming, response }
}

test('a caller who disconnects is noticed, once', async () => {
  const { client, response } = await arrived()
  const closed = vi.fn()
  onClosed(response, closed)
  expect(closed).not.toHaveBeenCalled()
  client.destroy()
  await expect.poll(() => closed.mock.calls.length).toBe(1)
  expect(response.writableFinished).toBe(false)
})

test('a caller who has disconnected before is noticed at once', async () => {
  const { client, response } = await arrived()
  const gone = once(response, 'close')
  client.destroy()
  await gone
  const closed = vi.fn()
  onClosed(response, closed)
  expect(closed).toHaveBeenCalledTimes(1)
})

test('a complete response is closed, and nothing is called after it was stopped', async () => {
  const { client, response } = await arrived()
  const [closed, stopped] = [vi.fn(), vi.fn()]
  onClosed(response, closed)
  onClosed(response, stopped)()
  response.end('done')
  const [answer] = (await once(client, 'response')) as [IncomingMessage]
  answer.resume()
  await expect.poll(() => closed.mock.calls.length).toBe(1)
  expect(response.writableFinished).toBe(true)
  expect(stopped).not.toHaveBeenCalled()
})

test('a stream for a reader who has disconnected before sends no pings', async () => {
  const { client, response } = await arrived()
  const gone = once(response, 'close')
  client.destroy()
  await gone
  const stopped = vi.spyOn(globalThis, 'clearInterval')
  new EventStream(response, {})
  expect(stopped).toHaveBeenCalledTimes(1)
})
