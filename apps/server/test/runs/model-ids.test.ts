import type { Agent } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
        message: 'must have only letters, digits and . _ : @ / + -, and no segment that is . or ..',
      },
    ],
  })
})

test('a model that the configuration does not list is refused with the ones that it has', async () => {
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

test('a configuration that allows unlisted models takes every id', async () => {
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
])('the provider option %s is refused', async (name) => {
  expect(await save({ provider_options: { [name]: 'other' } })).toMatchObject({
    status: 400,
    errors: [{ path: `config.model.primary.provider_options.${name}` }],
  })
})

test('an output schema replaces the former one whole', async () => {
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
