import type { AgentRunResult, KnowledgeBase, KnowledgeDocument } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'

let setting: RunSetting
let baseId: string
beforeAll(async () => {
  setting = await startRunSetting()
  baseId = await filled({ embedding: embedding() })
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const PATH = '/api/v1/knowledge-bases'
const embedding = () => ({
  llm_config_id: setting.server.seed.llm.organization,
  model_id: 'sandbox-embed-1',
})

async function filled(fields: object): Promise<string> {
  const { server } = setting
  const created = await server.call(`POST ${PATH}`, { body: { name: 'Handbook', ...fields } })
  const id = (created.body as KnowledgeBase).knowledgeBaseId
  for (const text of ['Refunds take 14 days.', 'Shipping to Norway costs 9 euros.']) {
    const name = `${text.split(' ')[0]?.toLowerCase()}.md`
    const added = await server.call(`POST ${PATH}/${id}/documents`, { body: { name, text } })
    const { documentId } = added.body as KnowledgeDocument
    const status = async () => {
      const { body } = await server.call(`GET ${PATH}/${id}/documents/${documentId}`)
      return (body as KnowledgeDocument).status
    }
    await vi.waitFor(async () => expect(await status()).toBe('ready'), 10_000)
  }
  return id
}

const asks = (query: string) => ({ toolCalls: [{ name: 'search_knowledge', arguments: { query } }] })
const knowledge = (more: object = {}) => ({ knowledge: { base_ids: [baseId], top_k: 1, ...more } })
const requested = (at: number) => JSON.stringify(setting.model.requests[at]?.body)

test('an agent searches, reads numbered passages and cites them', async () => {
  const { agentId } = await setting.agent(knowledge())
  setting.model.script(asks('How long do refunds take?'), 'Refunds take 14 days [1], not 30 [7].')
  const { status, body } = await setting.run(agentId, { message: 'refunds?', include_messages: true })
  const { content, citations, messages } = body as AgentRunResult
  expect([status, content]).toEqual([200, 'Refunds take 14 days [1], not 30 [7].'])
  expect(citations).toEqual([
    {
      n: 1,
      documentId: expect.any(String),
      documentName: 'refunds.md',
      page: null,
      url: null,
      quote: 'Refunds take 14 days.',
    },
  ])
  const result = messages?.find(({ role }) => role === 'tool')?.content ?? ''
  expect(JSON.parse(result)).toEqual({
    passages: [{ n: 1, document: 'refunds.md', text: 'Refunds take 14 days.' }],
  })
})

test('in mode auto the passages are added to the message, and the message is stored without them', async () => {
  const { agentId } = await setting.agent(knowledge({ mode: 'auto' }))
  setting.model.script('9 euros [1].')
  const { body } = await setting.run(agentId, { message: 'Shipping to Norway?', include_messages: true })
  const { citations, messages } = body as AgentRunResult
  expect(citations).toMatchObject([{ n: 1, documentName: 'shipping.md' }])
  expect(messages?.map(({ content }) => content)).toEqual(['Shipping to Norway?', '9 euros [1].'])
  expect(requested(0)).toContain('Shipping to Norway costs 9 euros.')
  expect(requested(0)).not.toContain('search_knowledge')
})

test('an agent without citations has neither numbers nor citations', async () => {
  const { agentId } = await setting.agent(knowledge({ cite: false }))
  setting.model.script(asks('refunds'), '14 days [1].')
  const { body } = await setting.run(agentId, { message: 'x' })
  expect(body).not.toHaveProperty('citations')
  expect(requested(1)).not.toContain('\\"n\\"')
})

test('a job keeps its citations', async () => {
  const { agentId } = await setting.agent(knowledge())
  setting.model.script(asks('refunds'), '14 days [1].')
  const { server } = setting
  const started = await server.call(`POST /api/v1/agents/${agentId}/run-async`, { body: { message: 'x' } })
  const { jobId } = started.body as { jobId: string }
  const job = async () => (await server.call(`GET /api/v1/jobs/${jobId}`)).body
  await expect.poll(job).toMatchObject({ status: 'completed' })
  expect(await job()).toMatchObject({ result: { citations: [{ n: 1, documentName: 'refunds.md' }] } })
})

test('the embedding cost of a question is in the metrics of the run', async () => {
  const { agentId } = await setting.agent(knowledge())
  setting.model.script(asks('one two three four'), 'done')
  const { body } = await setting.run(agentId, { message: 'x' })
  // The scripted model reports 10 for each of its two calls.
  expect((body as AgentRunResult).metrics.inputTokens).toBe(24)
})

test('an agent names existing bases, and a base in use cannot be deleted', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000'
  const { server } = setting
  const body = { name: 'Lost', config: { knowledge: { base_ids: [baseId, unknown] } } }
  expect(await server.call('POST /api/v1/agents', { body })).toMatchObject({
    status: 400,
    body: { error: 'validation_error', errors: [{ path: 'config.knowledge.base_ids.1' }] },
  })
  await setting.agent(knowledge(), { name: 'Desk' })
  const refused = await server.call(`DELETE ${PATH}/${baseId}`)
  expect(refused).toMatchObject({ status: 409, body: { error: 'in_use' } })
  expect(JSON.stringify(refused.body)).toContain('Desk')
})

test('a missing base is reported to the model, and the run continues', async () => {
  const { server } = setting
  const gone = await filled({})
  const { agentId } = await setting.agent({ knowledge: { base_ids: [gone] } })
  await server.context.database.transaction(({ write }) =>
    write.knowledge.deleteBase(server.seed.organizationId, gone as never),
  )
  setting.model.script(asks('refunds'), 'I could not look it up.')
  const { status, body } = await setting.run(agentId, { message: 'x' })
  expect([status, (body as AgentRunResult).content]).toEqual([200, 'I could not look it up.'])
  expect(requested(1)).toContain(`The knowledge base ${gone} no longer exists.`)
})
