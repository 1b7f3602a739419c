import { validateWorkflow } from '@troupe/operations/workflows/validate-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SeededPlayground, seedPlayground } from './seed-playground.ts'

let server: TestServer
let playground: SeededPlayground
beforeAll(async () => {
  server = await startTestServer()
  const seeded = await seedPlayground(server.context, 'on')
  if (!seeded) throw new Error('the Playground was not seeded')
  playground = seeded
})
afterAll(() => server[Symbol.asyncDispose]())

const triage = () => playground.workflows.find(({ slug }) => slug === 'triage')?.id
const run = async (input: object) => {
  const options = { key: playground.apiKey, body: { input } }
  return (await server.call(`POST /api/v1/workflows/${triage()}/run`, options)).body
}

test.for([
  ['My shipping is late, and this is urgent.', 'high', 'Shipping', '[sandbox] Shipping: '],
  ['A question about billing.', 'normal', 'Billing', '[sandbox] Billing: '],
  ['Something technical.', 'normal', 'Technical', '[sandbox] Technician: '],
] as const)('Triage answers "%s"', async ([text, priority, category, speaker]) => {
  expect(await run({ text })).toMatchObject({
    status: 'completed',
    output: { priority, category, reply: `${speaker}${text}` },
    error: null,
  })
})

test('Triage asks for its declared field', async () => {
  expect(await run({})).toMatchObject({
    status: 'failed',
    error: 'Payload does not match the HTTP Request trigger: "text" is required',
  })
})

test('the graphs of the Playground have no findings', async () => {
  const { read } = server.context.database
  const organization = await read.organizations.bySlug('playground')
  const scope = { organizationId: organization?.id as never, projectId: null }
  for (const { id } of playground.workflows) {
    const found = await validateWorkflow(read, scope, id)
    // Each workflow is built for one trigger; starting it with the other one is reported as a failure.
    expect(found.filter(({ code }) => !/^(api|webhook)_calls_fail$/.test(code))).toEqual([])
  }
})

test('the knowledge base of the Playground is ingested and answers a question', async () => {
  const key = playground.apiKey
  const listed = async () => (await server.call('GET /api/v1/knowledge-bases', { key })).body
  await expect.poll(listed, { timeout: 30_000 }).toMatchObject({
    data: [{ name: 'Handbook of Lakeside Bikes', documents: { queued: 0, ready: 3, failed: 0 } }],
  })
  const { data } = (await listed()) as { data: { knowledgeBaseId: string }[] }
  const body = { base_ids: [data[0]?.knowledgeBaseId], query: 'How long does a refund take?', top_k: 1 }
  expect((await server.call('POST /api/v1/knowledge-bases/search', { key, body })).body).toMatchObject({
    data: [{ documentName: 'refunds.md', text: expect.stringContaining('within 14 days') }],
  })
})
