import { AGENT_CONFIG_DEFAULTS } from '@troupe/contract'
import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { executeNode, outputOf, ScriptedServices } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const other = '6f9619ff-8b86-4d01-b42d-00cf4fc964fe'
const trigger = { text: 'hello', empty: ' ' }

test('the model chain is called once with the prompts filled in', async () => {
  const services = new ScriptedServices({ answers: ['Hi.'] })
  const config = {
    model: { primary: { llm_config_id: id, temperature: 0.2 } },
    system: 'Be {{ trigger.text }}',
    prompt: 'Say {{ trigger.text }}',
  }
  expect(await executeNode('ai-prompt', config, { trigger, services })).toEqual({
    result: { status: 'completed', output: 'Hi.' },
    input: { system: 'Be hello', prompt: 'Say hello' },
    agentRunId: null,
    inputTokens: 10,
    outputTokens: 5,
  })
  const { model } = AGENT_CONFIG_DEFAULTS
  expect(services.calls).toEqual([
    {
      model: { ...model, primary: { ...model.primary, llm_config_id: id, temperature: 0.2 } },
      system: 'Be hello',
      prompt: 'Say hello',
      purpose: 'prompt',
      schema: null,
    },
  ])
})

test('with a schema, the model gets it and the output is the JSON', async () => {
  const services = new ScriptedServices({ answers: ['{"n":1}'] })
  const outputSchema = { type: 'object', required: ['n'] }
  expect(await outputOf('ai-prompt', { prompt: 'x', outputSchema }, { services })).toEqual({ n: 1 })
  expect(services.calls[0]?.schema).toEqual({ name: 'answer', schema: outputSchema })
})

test.for<[Record<string, unknown>, string]>([
  [{ prompt: '{{ trigger.empty }}' }, 'failed: prompt is empty'],
  [{ prompt: 'x', outputSchema: {} }, 'failed: the answer does not follow the output schema: it is not JSON'],
])('%j: %s', async ([config, output]) => {
  const services = new ScriptedServices({ answers: ['no json'] })
  expect(await outputOf('ai-prompt', config, { trigger, services })).toBe(output)
})

test("if no model answers, the node fails with the services' message", async () => {
  expect(await outputOf('ai-prompt', { prompt: 'x' }, { services: new ScriptedServices({}) })).toBe(
    'failed: no model answered',
  )
})

test.for<[Record<string, unknown>, string[]]>([
  [{ prompt: 'x' }, []],
  [
    { prompt: 'x', outputSchema: { properties: { n: { type: 'any' } } } },
    ['warning: outputSchema.properties.n.type cannot be "any" and is omitted'],
  ],
  [{ prompt: 'x', model: { primary: null, later: 'kept' } }, []],
  [{}, ['prompt is required']],
  [{ prompt: 'x', model: 'gpt' }, ['model must be an object']],
  [
    {
      prompt: '',
      model: { primary: { temperature: 3, llm_config_id: 'x' }, fallbacks: [{ on: ['never'] }] },
    },
    [
      'prompt must not be empty',
      'model.primary.llm_config_id must be a UUID',
      'model.primary.temperature must be at most 2',
      'model.fallbacks.0.on.0 must be one of: error, rate_limit, timeout, context_overflow',
    ],
  ],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('ai-prompt', config)).toEqual(expected)
})

test('it references the LLM configurations of the whole chain', () => {
  const model = { primary: { llm_config_id: id }, fallbacks: [{}, { llm_config_id: other }, 7] }
  expect(NODE_TYPES.get('ai-prompt')?.references?.({ model })).toEqual([
    { kind: 'llm_configuration', id, path: 'model.primary.llm_config_id' },
    { kind: 'llm_configuration', id: null, path: 'model.fallbacks.0.llm_config_id' },
    { kind: 'llm_configuration', id: other, path: 'model.fallbacks.1.llm_config_id' },
  ])
})

test('a model without an LLM configuration references the default one', () => {
  const ofNothing = { kind: 'llm_configuration', id: null, path: 'model.primary.llm_config_id' }
  expect(NODE_TYPES.get('ai-prompt')?.references?.({})).toEqual([ofNothing])
  expect(NODE_TYPES.get('classify')?.references?.({ model: { primary: {} } })).toEqual([ofNothing])
  const model = { primary: { model_id: 'm', llm_config_id: null }, fallbacks: [{ model_id: 'n' }] }
  const at = (place: string, modelId: string) => ({
    kind: 'llm_configuration',
    id: null,
    path: `model.${place}.llm_config_id`,
    model: { id: modelId, path: `model.${place}.model_id` },
  })
  expect(NODE_TYPES.get('ai-prompt')?.references?.({ model })).toEqual([
    at('primary', 'm'),
    at('fallbacks.0', 'n'),
  ])
})
