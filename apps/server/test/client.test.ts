import type { AddressInfo } from 'node:net'
import { createClient, type TroupeClient, unwrap } from '@troupe/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from './runs/model-agent.ts'

let setting: RunSetting
let client: TroupeClient
beforeAll(async () => {
  setting = await startRunSetting()
  await setting.server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = setting.server.app.server.address() as AddressInfo
  const apiKey = setting.server.seed.keys.organization
  client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey })
})
afterAll(() => setting[Symbol.asyncDispose]())

test('the client creates, changes, lists and runs agents', async () => {
  const config = { model: { primary: { llm_config_id: setting.llmConfigId } } }
  const { agentId } = await unwrap(client.agents.create({ name: 'Ada', config }))
  await unwrap(client.agents.update(agentId, { description: 'Counts.' }))
  expect(await unwrap(client.agents.get(agentId))).toMatchObject({ name: 'Ada', description: 'Counts.' })
  const { data, total } = await unwrap(client.agents.list({ limit: 100 }))
  expect([data.length, data.some((agent) => agent.agentId === agentId)]).toEqual([total, true])
  setting.model.script('Four.')
  const first = await unwrap(client.agents.run(agentId, { message: '2 + 2?' }))
  expect(first).toMatchObject({ content: 'Four.', success: true })
  const limits = await unwrap(client.organization.limits())
  expect(limits.rate_limits).toEqual({ org_rpm: 100_000, key_rpm: null })
})

test('a stream has the answer text and the same result', async () => {
  const { agentId } = await setting.agent()
  setting.model.script({ text: 'one two three four', chunks: 4, paceMs: 5 })
  const stream = await unwrap(client.agents.stream(agentId, { message: 'Count' }))
  let shown = ''
  for await (const { text } of stream.text) shown = text
  expect(shown).toBe('one two three four')
  expect(await stream.result()).toMatchObject({ data: { content: shown } })
})

test('failures are values with the code of the contract', async () => {
  const { agentId } = await setting.agent({ model: { retry: { attempts_per_model: 1 } } })
  setting.model.script({ status: 500 })
  const failed = await client.agents.run(agentId, { message: 'x' })
  expect(failed).toMatchObject({ ok: false, status: 502, error: { code: 'upstream_error' } })
  const invalid = await client.agents.run(agentId, { message: ' ' })
  expect(invalid).toMatchObject({
    ok: false,
    error: {
      code: 'validation_error',
      errors: [{ path: 'message', message: 'must not be only white space' }],
    },
  })
  const unknown = await client.agents.get('00000000-0000-4000-8000-000000000000')
  expect(unknown).toMatchObject({ ok: false, error: { code: 'agent_not_found' } })
})
