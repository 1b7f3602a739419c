import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
/** Disconnects as soon as it receives something. */
let rude: Server
let closedPort: number
beforeAll(async () => {
  setting = await startRunSetting()
  rude = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.destroy())
  })
  closedPort = await listening(rude)
  rude.close()
  await once(rude, 'close')
  await listening(rude)
})
afterAll(async () => {
  rude.close()
  await setting[Symbol.asyncDispose]()
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

test.each([
  ['refuses connections', () => `http://127.0.0.1:${closedPort}/v1`, /the connection was refused/],
  ['hangs up', () => `http://127.0.0.1:${portOf(rude)}/v1`, /the connection was closed early/],
  [
    'has no name',
    () => 'http://models.nowhere.invalid/v1',
    /its host name (was not found|could not be resolved)/,
  ],
  [
    'speaks no TLS',
    () => setting.model.url.replace('http:', 'https:'),
    /the TLS handshake failed|the connection was closed early/,
  ],
])('a provider that %s is reported with the reason, without its address', async (_, url, reason) => {
  const llm = await setting.connect(url())
  const { agentId } = await setting.agent({ model: { primary: { llm_config_id: llm } } })
  const { status, body } = await setting.run(agentId, { message: 'x' })
  expect([status, body]).toEqual([
    502,
    {
      error: 'upstream_error',
      message: expect.stringMatching(
        new RegExp(`^The model provider could not be reached: (${reason.source})\\.$`),
      ),
    },
  ])
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|nowhere|ECONN/)
})
