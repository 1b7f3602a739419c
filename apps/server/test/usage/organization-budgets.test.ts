import { randomUUID } from 'node:crypto'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
      message: expect.stringMatching(/^Budget llm_tokens is used up: \d+ of 1 /),
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
    body: { message: expect.stringMatching(/^Budget llm_(cost_usd|tokens) is used up/) },
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
