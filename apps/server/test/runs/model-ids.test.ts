import type { Agent, LlmConfigId } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { publishSeededForm } from '@troupe/test-kit/seed-form'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting({ allowUnlistedModels: false })
})
afterAll(() => setting[Symbol.asyncDispose]())

async function save(primary: Record<string, unknown>) {
  const answer = await setting.server.call('POST /api/v1/agents', {
    body: {
      name: 'A',
      config: { model: { primary: { llm_config_id: setting.llmConfigId, ...primary } } },
    },
  })
  const { errors } = answer.body as { errors?: unknown }
  return { status: answer.status, errors }
}

test.each([
  '../../../admin/secrets?x=',
  '..',
  'models/../x',
  'models/./x',
  'a b',
  'a%2e',
  'a#b',
  'a\\b',
])('the model id %s is refused for its characters', async (id) => {
  expect(await save({ model_id: id })).toEqual({
    status: 400,
    errors: [
      {
        path: 'config.model.primary.model_id',
        message: 'must contain only letters, digits and . _ : @ / + -, and no segment that is . or ..',
      },
    ],
  })
})

test('an unlisted model is refused with the list of models', async () => {
  const errors = [
    {
      path: 'config.model.primary.model_id',
      message: 'is not a model of the LLM configuration "Scripted", which offers: scripted-1',
    },
  ]
  expect(await save({ model_id: 'scripted-2' })).toEqual({ status: 400, errors })
  expect((await save({ model_id: 'scripted-1' })).status).toBe(201)
  const { agentId } = await setting.agent()
  const changed = await setting.server.call(`PUT /api/v1/agents/${agentId}`, {
    body: { config: { model: { primary: { model_id: 'scripted-2' } } } },
  })
  expect(changed).toMatchObject({ status: 400, body: { errors } })
})

test('an agent without a configuration is checked against the default one', async () => {
  const answer = await save({ llm_config_id: null, model_id: 'scripted-1' })
  expect(answer.errors).toEqual([
    {
      path: 'config.model.primary.model_id',
      message: 'is not a model of the LLM configuration "organization", which offers: sandbox-1',
    },
  ])
})

test('a configuration that allows unlisted models accepts every id', async () => {
  await setting.server.context.database.transaction(async ({ read, write }) => {
    const rows = await read.llmConfigurations.list(setting.server.seed.organizationId)
    const row = rows.find(({ id }) => id === setting.llmConfigId)
    if (row) await write.llmConfigurations.update({ ...row, allowUnlistedModels: true })
  })
  expect((await save({ model_id: 'org/next-model:beta@2' })).status).toBe(201)
})

test.each([
  'model',
  'messages',
  'tools',
  'stream',
  'api_key',
  'toolChoice',
  'Fallbacks',
  'previous_response_id',
  'mcpServers',
  'tool\u017f',
])('the provider option %s is refused', async (name) => {
  expect(await save({ provider_options: { [name]: 'other' } })).toMatchObject({
    status: 400,
    errors: [{ path: `config.model.primary.provider_options.${name}` }],
  })
})

test('fields that a provider merges into its request are refused like options', async () => {
  const fields = { top_k: 3, anthropic_beta: ['x'], system: 'other', model: 'other' }
  const path = 'config.model.primary.provider_options.additionalModelRequestFields'
  expect(await save({ provider_options: { additionalModelRequestFields: fields } })).toMatchObject({
    status: 400,
    errors: [{ path: `${path}.system` }, { path: `${path}.model` }],
  })
})

test('an output schema replaces the previous one completely', async () => {
  const output = (schema: object) => ({ execution: { output: { mode: 'json_schema', schema } } })
  const { agentId } = await setting.agent(
    output({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }),
  )
  const answer = await setting.server.call(`PUT /api/v1/agents/${agentId}`, {
    body: { config: output({ type: 'array', items: { type: 'string' } }) },
  })
  const { output: saved } = (answer.body as Agent).config.execution as { output: unknown }
  expect(saved).toEqual({
    mode: 'json_schema',
    schema: { type: 'array', items: { type: 'string' } },
    strategy: 'auto',
    max_repairs: 2,
  })
})

describe('a model without an LLM configuration, which uses the default one', () => {
  const organizationId = () => setting.server.seed.organizationId
  const scripted = 'is not a model of the LLM configuration "Scripted", which offers: scripted-1'

  /** A workflow whose only step calls the model, not yet published. */
  const draft = (model_id: string) =>
    seedWorkflow(setting.server.context.database, {
      organizationId: organizationId(),
      projectId: null,
      publish: false,
      graph: {
        nodes: [
          node('start', 'manual-trigger'),
          node('ask', 'ai-prompt', { prompt: 'Hi', model: { primary: { model_id } } }),
        ],
        edges: [edge('start', 'ask')],
      },
    })
  const publish = (workflowId: Awaited<ReturnType<typeof draft>>) =>
    publishSeededForm(setting.server.context, { organizationId: organizationId(), workflowId })

  /** Makes another configuration the default of the organization. */
  async function makeDefault(id: LlmConfigId) {
    await setting.server.context.database.transaction(async ({ read, write }) => {
      const rows = await read.llmConfigurations.list(organizationId())
      const marked = rows.filter(({ projectId, isDefault }) => projectId === null && isDefault)
      for (const row of marked) await write.llmConfigurations.update({ ...row, isDefault: false })
      const row = rows.find((one) => one.id === id)
      if (row) await write.llmConfigurations.update({ ...row, isDefault: true, allowUnlistedModels: false })
    })
    setting.server.context.catalog.forget(organizationId())
  }

  test('is refused when a workflow that names it is published', async () => {
    const publishing = publish(await draft('scripted-1'))
    await expect(publishing).rejects.toMatchObject({
      code: 'validation_error',
      errors: [
        {
          path: 'nodes.1.config.model.primary.model_id',
          message: 'is not a model of the LLM configuration "organization", which offers: sandbox-1',
        },
      ],
    })
  })

  test('is not sent to a new default that does not offer it: the run reports it', async () => {
    const agent = await setting.agent({ model: { primary: { llm_config_id: null, model_id: 'sandbox-1' } } })
    const workflowId = await draft('sandbox-1')
    await publish(workflowId)
    const runWorkflow = () =>
      setting.server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: { input: {} } })
    expect((await setting.run(agent.agentId, { message: 'Hi' })).status).toBe(200)
    expect(await runWorkflow()).toMatchObject({ status: 200, body: { status: 'completed' } })

    const { length } = setting.model.requests
    await makeDefault(setting.llmConfigId)
    expect(await setting.run(agent.agentId, { message: 'Hi' })).toMatchObject({
      status: 422,
      body: {
        error: 'llm_configuration_not_found',
        message: `The agent uses the default LLM configuration, and its model sandbox-1 ${scripted}.`,
      },
    })
    expect(await runWorkflow()).toMatchObject({
      status: 200,
      body: {
        status: 'failed',
        error: expect.stringContaining(
          `uses the default LLM configuration, and its model sandbox-1 ${scripted}`,
        ),
      },
    })
    expect(setting.model.requests).toHaveLength(length)
    await makeDefault(setting.server.seed.llm.organization)
  })
})
