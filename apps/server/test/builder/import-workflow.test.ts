import { difyExport, n8nExport } from '@troupe/bundles/foreign/testing/exports'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let builder: BuilderClient

beforeAll(async () => {
  server = await startTestServer()
  builder = await asMember(server, 'member', 'Max')
})
afterAll(() => server[Symbol.asyncDispose]())

interface Imported {
  format: string
  name: string
  draft: { nodes: { id: string }[]; edges: { id: string }[] }
  report: { rows: { outcome: string }[] }
}

async function imported(text: string): Promise<Imported> {
  const { status, body } = await builder.send('POST /workflow-imports', { text })
  expect(status).toBe(200)
  return body as Imported
}

const N8N = JSON.stringify({
  ...n8nExport(
    [
      { name: 'Webhook', type: 'n8n-nodes-base.webhook' },
      {
        name: 'Ask',
        type: '@n8n/n8n-nodes-langchain.chainLlm',
        parameters: { promptType: 'define', text: '=Say {{ $json.body.text }}' },
      },
      { name: 'Send', type: 'n8n-nodes-base.slack' },
      { name: 'Items', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
      { name: 'Each', type: 'n8n-nodes-base.noOp' },
    ],
    [
      ['Webhook', 'Ask'],
      ['Ask', 'Send'],
      ['Webhook', 'Items'],
      ['Items', 'Each', 1],
      ['Each', 'Items'],
    ],
  ),
  name: 'Say it',
})

const VARIABLE = `\${amount}`
const COSTS = `Costs ${VARIABLE}`
// YAML with the syntax of a bundle variable.
const DIFY = `app: { name: "${COSTS}", mode: workflow }
kind: app
workflow:
  graph:
    nodes:
      - { id: start, data: { type: start, title: Start, variables: [{ variable: topic, type: text-input }] } }
      - { id: llm, data: { type: llm, title: Write, prompt_template: [{ role: user, text: "About {{#start.topic#}} for ${VARIABLE}" }] } }
    edges: [{ source: start, target: llm, sourceHandle: source }]
`

test('exports of n8n and Dify become drafts, and nothing is stored', async () => {
  const n8n = await imported(N8N)
  expect(n8n).toMatchObject({ format: 'n8n', name: 'Say it' })
  expect(n8n.report.rows.map(({ outcome }) => outcome)).toEqual(['step', 'step', 'stand_in', 'step', 'step'])
  const dify = await imported(DIFY)
  expect(dify).toMatchObject({ format: 'dify', name: COSTS })
  expect(dify.draft.nodes[1]).toMatchObject({
    config: { prompt: `About {{ trigger.topic }} for ${VARIABLE}` },
  })
  expect((await imported(JSON.stringify(difyExport([{ id: 'a', type: 'start' }])))).format).toBe('dify')
  expect(await builder.send('GET /workflows')).toMatchObject({ body: { total: 0 } })
})

test('an unknown or invalid file is refused with a message at its field', async () => {
  const refused = async (text: string) => {
    const { status, body } = await builder.send('POST /workflow-imports', { text })
    expect(status).toBe(400)
    return (body as { errors: { path: string; message: string }[] }).errors
  }
  expect(await refused('{"nodes": [], "edges": []}')).toEqual([
    { path: 'text', message: 'The file is neither a workflow of n8n nor an app of Dify.' },
  ])
  expect(await refused('a: [1')).toMatchObject([
    { path: 'text', message: expect.stringMatching(/^The file is not valid YAML/) },
  ])
  const wide = `{"a": [${'1,'.repeat(250_000)}1]}`
  expect(await refused(wide)).toEqual([{ path: 'text', message: 'The file has more than 200000 values.' }])
})

test('a viewer must not import', async () => {
  const viewer = await asMember(server, 'viewer', 'Vera')
  expect((await viewer.send('POST /workflow-imports', { text: N8N })).status).toBe(403)
})

test('imported, exported and applied on another server, a workflow has the same graph', async () => {
  const admin = await asMember(server, 'admin', 'Ada')
  await using other = await startTestServer()
  const there = await asMember(other, 'admin', 'Otto')
  for (const text of [N8N, DIFY]) {
    const { name, draft } = await imported(text)
    const made = await builder.send('POST /workflows', { name, draft })
    expect(made.status).toBe(201)
    const { workflowId, draft: stored } = made.body as { workflowId: string; draft: unknown }
    const exported = await admin.send(`GET /bundle?include=workflow:${workflowId}`)
    const applied = await there.send('POST /bundle/apply', { text: exported.body, adopt: true })
    expect(applied).toMatchObject({ status: 200 })
    const listed = (await there.send('GET /workflows')).body as {
      data: { workflowId: string; name: string }[]
    }
    const found = listed.data.find((one) => one.name === name)
    expect((await there.send(`GET /workflows/${found?.workflowId}`)).body).toMatchObject({ draft: stored })
  }
})
