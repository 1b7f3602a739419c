import { type AgentJob, LlmConfigId, newId } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const budget = (change: Record<string, unknown>) => ({ execution: { budget: change } })

test('a budget without room for a call is 429 budget_exceeded with `fail`, and a failed job', async () => {
  const { agentId } = await setting.agent(budget({ max_total_tokens: 100, on_exceeded: 'fail' }))
  expect(await setting.run(agentId, { message: 'x' })).toMatchObject({
    status: 429,
    body: { error: 'budget_exceeded', message: 'The budget of this run is used up.' },
  })
  const { body } = await setting.server.call(`POST /api/v1/agents/${agentId}/run-async`, {
    body: { message: 'x' },
  })
  const { jobId } = body as { jobId: string }
  const poll = async () => (await setting.server.call(`GET /api/v1/jobs/${jobId}`)).body as AgentJob
  await expect.poll(async () => (await poll()).status).toBe('failed')
  expect((await poll()).error).toBe('The budget of this run is used up.')
  expect(setting.model.requests).toEqual([])
})

test('a cost budget ends a tool loop with a final answer', async () => {
  const tools = [{ type: 'builtin', name: 'calculate', builtin: 'calculator' }]
  const { agentId } = await setting.agent({ tools, ...budget({ max_cost_usd: 0.0035 }) })
  setting.model.script('Short answer.')
  expect(await setting.run(agentId, { message: 'x' })).toMatchObject({
    status: 200,
    body: { content: 'Short answer.', success: true },
  })
  expect(setting.model.requests[0]?.body).toMatchObject({ max_tokens: 1_500, tool_choice: 'none' })
})

test('saving refuses a cost budget on a model without a price', async () => {
  const id = newId(LlmConfigId)
  const { database } = setting.server.context
  await database.transaction(({ write }) =>
    write.llmConfigurations.insert({
      ...{
        id,
        organizationId: setting.server.seed.organizationId,
        projectId: null,
        slug: 'free',
        name: 'Free',
      },
      ...{
        providerId: 'openai-compatible',
        status: 'connected',
        isDefault: false,
        baseUrl: setting.model.url,
      },
      ...{ sealedCredentials: null, settings: {}, allowUnlistedModels: false },
      models: [
        {
          ...{ modelId: 'free-1', displayName: 'Free 1', contextLength: 1_000, maxOutputTokens: 100 },
          ...{
            toolChoice: true,
            inputUsdPerMillion: null,
            cachedInputUsdPerMillion: null,
            cacheWriteUsdPerMillion: null,
          },
          outputUsdPerMillion: null,
        },
      ],
    }),
  )
  const config = { model: { primary: { llm_config_id: id } }, ...budget({ max_cost_usd: 1 }) }
  const { status, body } = await setting.server.call('POST /api/v1/agents', { body: { name: 'Ada', config } })
  expect([status, body]).toMatchObject([
    422,
    { error: 'model_price_missing', errors: [{ path: 'config.model.primary.model_id' }] },
  ])
})
