import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { startTestServer } from '@troupe/test-kit/server'
import { expect, test, vi } from 'vitest'

test('a caller that disconnects in the middle of a stream no longer counts as active', async () => {
  await using server = await startTestServer()
  const { app, context, seed } = server
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const began = vi.spyOn(context.stalls, 'began')
  const ended = vi.spyOn(context.stalls, 'ended')
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const body = JSON.stringify({ message: '[[delay: 60000]]', on_disconnect: 'cancel' })
  socket.write(
    `POST /api/v1/agents/${seed.agents.organization}/run-stream HTTP/1.1\r\nHost: a\r\nX-API-Key: ${seed.keys.organization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  expect(began).toHaveBeenCalledOnce()
  expect(ended).not.toHaveBeenCalled()
  socket.destroy()
  await expect.poll(() => ended.mock.calls).toEqual([[began.mock.calls[0]?.[0]]])
})
