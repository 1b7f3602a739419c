import { readFile } from 'node:fs/promises'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

const KEY = 'the-secret-of-the-widget'
let server: TestServer
let text: string

beforeAll(async () => {
  server = await startTestServer()
  const file = await readFile(new URL('support-desk.yaml', import.meta.url), 'utf8')
  // No Ollama in tests: nothing listens on port 9.
  text = file.replaceAll(`\${SUPPORT_WIDGET_KEY}`, KEY).replace('127.0.0.1:11434', '127.0.0.1:9')
})
afterAll(() => server[Symbol.asyncDispose]())

const apply = () =>
  server.call('POST /api/builder/bundles', {
    key: null,
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/yaml' },
    body: text,
  })

test('the support desk can be applied, twice without a change', async () => {
  const first = await apply()
  expect(first).toMatchObject({
    status: 200,
    body: {
      organizations: [
        {
          projects: { created: 2 },
          apiKeys: { created: 3 },
          llmConfigurations: { created: 2 },
          agents: { created: 4 },
          mintedKeys: [{ name: 'workshop-tablet' }, { name: 'administration' }],
        },
      ],
    },
  })
  expect((await apply()).body).toMatchObject({
    organizations: [{ agents: { unchanged: 4 }, mintedKeys: [] }],
  })
})

test('its widget sees the agents of support only, and the stand-in answers without Ollama', async () => {
  const { body } = await server.call('GET /api/v1/agents', { key: KEY })
  const { data } = body as { data: { agentId: string; name: string }[] }
  expect(data.map(({ name }) => name).sort()).toEqual(['First line', 'Translator'])
  const id = data.find(({ name }) => name === 'First line')?.agentId
  const run = await server.call(`POST /api/v1/agents/${id}/run`, {
    key: KEY,
    body: { message: 'Open today?' },
  })
  expect(run.body).toMatchObject({
    content: '[sandbox] First line: Open today?',
    metrics: { failoverUsed: true },
  })
})
