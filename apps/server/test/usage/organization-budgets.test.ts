import { randomUUID } from 'node:crypto'
import type { KnowledgeBase, KnowledgeDocument } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'

let setting: RunSetting
const budgets: string[] = []
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(async () => {
  setting.model.reset()
  const { database } = setting.server.context
  const { organizationId } = setting.server.seed
  for (const id of budgets.splice(0)) {
    await database.transaction(({ write }) => write.budgets.delete(organizationId, id))
  }
})

async function budget(metric: 'llm_tokens' | 'llm_cost_usd', limit: number): Promise<void> {
  const { organizationId } = setting.server.seed
  const id = randomUUID()
  const fields = {
    id,
    organizationId,
    projectId: null,
    metric,
    limitMicros: limit * 1_000_000,
    period: 'month' as const,
  }
  await setting.server.context.database.transaction(({ write }) => write.budgets.put(fields))
  budgets.push(id)
}

test.each([
  'run',
  'run-stream',
  'run-async',
])('%s is 429 once the budget of the organization is used up, and calls no model', async (path) => {
  const { agentId } = await setting.agent()
  await setting.run(agentId, { message: 'Hello' })
  await budget('llm_tokens', 1)
  setting.model.reset()
  const answer = await setting.server.call(`POST /api/v1/agents/${agentId}/${path}`, {
    body: { message: 'Hello' },
  })
  expect(answer).toMatchObject({
    status: 429,
    body: {
      error: 'budget_exceeded',
      message: expect.stringMatching(/^The budget for tokens is used up: \d+ of 1 /),
    },
  })
  expect(setting.model.requests).toEqual([])
})

test('a team is refused like an agent', async () => {
  const { agentId } = await setting.agent()
  await setting.run(agentId, { message: 'Hello' })
  const { organizationId } = setting.server.seed
  const { teamId } = await seedTeam(setting.server.context.database, { organizationId, projectId: null })
  await budget('llm_tokens', 1)
  for (const path of ['run-sync', 'run-stream', 'run-async']) {
    const answer = await setting.server.call(`POST /api/v1/teams/${teamId}/${path}`, {
      body: { message: 'Hello' },
    })
    expect([answer.status, answer.body]).toMatchObject([429, { error: 'budget_exceeded' }])
  }
})

test('a budget with room lets runs start, and counts what they cost', async () => {
  await budget('llm_tokens', 1_000_000)
  await budget('llm_cost_usd', 1)
  const { agentId } = await setting.agent()
  setting.model.script({ text: 'Hi', usage: { inputTokens: 1_000_000, outputTokens: 100 } })
  expect((await setting.run(agentId, { message: 'Hello' })).status).toBe(200)
  expect(await setting.run(agentId, { message: 'Hello' })).toMatchObject({
    status: 429,
    body: { message: expect.stringMatching(/^The budget for (US dollars|tokens) is used up/) },
  })
})

test('a cost budget refuses a model without a price', async () => {
  await budget('llm_cost_usd', 1_000)
  const { agents } = setting.server.seed
  expect(await setting.run(agents.organization, { message: 'Hello' })).toMatchObject({
    status: 422,
    body: { error: 'model_price_missing' },
  })
})

/** The answer that uses up the budget of {@link budgetForOneMore}. */
const LAST = { text: 'Hi', usage: { inputTokens: 100_000, outputTokens: 1 } }

async function budgetForOneMore(): Promise<void> {
  const { body } = await setting.server.call('GET /api/v1/usage')
  const { data } = body as { data: { inputTokens: number; outputTokens: number }[] }
  const used = data.reduce((sum, day) => sum + day.inputTokens + day.outputTokens, 0)
  await budget('llm_tokens', used + LAST.usage.inputTokens)
}

test('memories of a user are not extracted while a budget is used up, and are extracted once there is room', async () => {
  const { context, seed } = setting.server
  const { agentId } = await setting.agent({ memory: { user_memories: { enabled: true } } })
  const [user_id, other] = [randomUUID(), randomUUID()]
  using learned = vi.spyOn(context.runs.deps.memories, 'learned')
  using refused = vi.spyOn(context.runs.deps.store, 'isOverBudget')
  await budgetForOneMore()
  setting.model.script(LAST)
  expect((await setting.run(agentId, { message: 'I drink tea.', user_id })).status).toBe(200)
  await context.duties.perform('watchdog')
  await expect.poll(() => refused.mock.results.length).toBeGreaterThanOrEqual(1)
  await Promise.all(refused.mock.results.map(({ value }) => value))
  expect(setting.model.requests).toHaveLength(1)
  expect(learned).not.toHaveBeenCalled()

  await context.database.transaction(({ write }) =>
    write.budgets.delete(seed.organizationId, budgets.splice(0)[0] ?? ''),
  )
  const learnt = { toolCalls: [{ name: 'update_memories', arguments: { remember: ['Tea.'], forget: [] } }] }
  setting.model.script('Hi', learnt)
  await setting.run(agentId, { message: 'I drink tea.', user_id: other })
  await expect.poll(() => learned.mock.calls.length).toBe(1)
  expect(setting.model.requests).toHaveLength(3)
})

test('no session is summarised while a budget is used up', async () => {
  const { agentId } = await setting.agent({
    memory: { history: { enabled: true }, summary: { enabled: true, trigger_tokens: 1_000 } },
  })
  const session_id = randomUUID()
  const say = (text: string) => setting.run(agentId, { message: text.repeat(2_000), session_id })
  await say('aaaa ')
  await budgetForOneMore()
  setting.model.script(LAST)
  using refused = vi.spyOn(setting.server.context.runs.deps.store, 'isOverBudget')
  expect((await say('bbbb ')).status).toBe(200)
  await expect.poll(() => refused.mock.results.length).toBe(1)
  expect(await refused.mock.results[0]?.value).toBe(true)
  expect(setting.model.requests).toHaveLength(2)
})

/** A base whose embedding model is that of the sandbox, with one document. */
async function knowledgeBase(): Promise<{ id: string; add(text: string): Promise<KnowledgeDocument> }> {
  const { server } = setting
  const path = '/api/v1/knowledge-bases'
  const embedding = { llm_config_id: server.seed.llm.organization, model_id: 'sandbox-embed-1' }
  const created = await server.call(`POST ${path}`, { body: { name: randomUUID(), embedding } })
  const id = (created.body as KnowledgeBase).knowledgeBaseId
  return {
    id,
    async add(text) {
      const body = { name: `${randomUUID()}.md`, text }
      const added = await server.call(`POST ${path}/${id}/documents`, { body })
      const { documentId } = added.body as KnowledgeDocument
      const read = async () =>
        (await server.call(`GET ${path}/${id}/documents/${documentId}`)).body as KnowledgeDocument
      const isOver = async () => {
        const { status, error } = await read()
        return status !== 'queued' || error !== null
      }
      await expect.poll(isOver, { timeout: 10_000 }).toBe(true)
      return read()
    },
  }
}

test('no text of a document, of a search or of a search in a run is embedded while a budget is used up', async () => {
  const { server } = setting
  const base = await knowledgeBase()
  expect(await base.add('Refunds take 14 days.')).toMatchObject({ status: 'ready' })
  const search = () =>
    server.call('POST /api/v1/knowledge-bases/search', { body: { base_ids: [base.id], query: 'refunds' } })
  expect((await search()).body).toMatchObject({ data: [{ text: 'Refunds take 14 days.' }] })
  const { agentId } = await setting.agent({ knowledge: { base_ids: [base.id], mode: 'tool' } })
  await setting.run(agentId, { message: 'Hello' })
  using embed = vi.spyOn(server.context.embeddings, 'embed')

  await budget('llm_tokens', 1)
  const usedUp = 'The budget for tokens is used up.'
  expect(await search()).toMatchObject({ status: 429, body: { error: 'budget_exceeded', message: usedUp } })
  const waiting = await base.add('Shipping takes 5 days.')
  expect(waiting).toMatchObject({ status: 'queued', error: usedUp })

  // A run that has begun continues; other runs have used the budget up since.
  for (const id of budgets.splice(0)) {
    await server.context.database.transaction(({ write }) =>
      write.budgets.delete(server.seed.organizationId, id),
    )
  }
  setting.model.reset()
  setting.model.script(
    { toolCalls: [{ name: 'search_knowledge', arguments: { query: 'refunds' } }] },
    'I do not know.',
  )
  using read = vi.spyOn(server.context.database.read.budgets, 'usedUp').mockResolvedValueOnce(usedUp)
  expect(await setting.run(agentId, { message: 'Hello' })).toMatchObject({
    status: 200,
    body: { content: 'I do not know.' },
  })
  expect(read).toHaveBeenCalledOnce()
  expect(JSON.stringify(setting.model.requests[1]?.body)).toContain(usedUp)
  expect(embed).not.toHaveBeenCalled()
  expect((await search()).status).toBe(200)

  // The budget has room now: the waiting document is read automatically once its delay is over.
  await server.context.database.knowledge.releaseAll()
  await server.context.knowledge.ingest.work()
  const path = `/api/v1/knowledge-bases/${base.id}/documents/${waiting.documentId}`
  const later = async () => (await server.call(`GET ${path}`)).body
  await expect.poll(later, { timeout: 10_000 }).toMatchObject({ status: 'ready', error: null })
})
