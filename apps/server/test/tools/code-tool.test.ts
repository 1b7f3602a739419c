import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => setting.model.reset())

const code = (source: string, more: object = {}) => ({ type: 'code', name: 'script', source, ...more })
const SUM = code('export default async ({ a, b }) => ({ sum: a + b })', {
  description: 'Adds two numbers.',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
})
const call = () => setting.calls('script', { a: 1, b: 2 })

test('an agent calls a script in a synchronous run, a stream and a job', async () => {
  const { agentId } = await setting.agent({ tools: [SUM] })
  setting.model.script(call(), 'Three.')
  expect((await setting.answer(agentId, 'x')).content).toBe('Three.')
  expect(setting.lastResult()).toBe('{"sum":3}')
  expect(JSON.stringify(setting.model.requests[0]?.body)).toContain('"description":"Adds two numbers."')

  setting.model.script(call(), 'Three.')
  expect(await setting.events(agentId, 'x')).toContainEqual(
    expect.objectContaining({ event: 'ToolCallCompleted', toolName: 'script', result: '{"sum":3}' }),
  )

  setting.model.script(call(), 'Three.')
  expect(await setting.ended(await setting.enqueue(agentId, 'x'))).toMatchObject({
    status: 'completed',
    result: { content: 'Three.' },
  })
})

test('a failing or endless script is an error for the model, and the run continues', async () => {
  const { agentId } = await setting.agent({
    tools: [
      code('export default () => { throw new Error("no such order") }'),
      { ...code('export default () => { while (true) {} }', { timeout_ms: 100 }), name: 'endless' },
    ],
  })
  setting.model.script(setting.calls('script', {}), setting.calls('endless', {}), 'Sorry.')
  expect((await setting.answer(agentId, 'x')).content).toBe('Sorry.')
  const [, second] = setting.model.requests
  expect(JSON.stringify(second?.body)).toContain('The script failed (line 1): Error: no such order')
  expect(setting.lastResult()).toMatch(/^\{"error":\{"code":"timeout","message":"The script did not finish/)
})

test('saving an agent refuses a script that does not compile, with its line', async () => {
  const config = { tools: [SUM, { ...code('export default () => {\n  let a\n  let a }'), name: 'broken' }] }
  const errors = [
    { path: 'config.tools.1.source', message: expect.stringMatching(/^does not compile \(line 3\): /) },
  ]
  const { server } = setting
  expect(await server.call('POST /api/v1/agents', { body: { name: 'Ada', config } })).toMatchObject({
    status: 400,
    body: { error: 'validation_error', errors },
  })
  const { agentId } = await setting.agent()
  expect(await server.call(`PUT /api/v1/agents/${agentId}`, { body: { config } })).toMatchObject({
    status: 400,
    body: { error: 'validation_error', errors },
  })
})

test('a script has the configured memory limit', async () => {
  const source =
    "export default () => { const all = []; for (let i = 0; i < 24; i += 1) all.push('x'.repeat(1_000_000) + i); return all.length }"
  const { agentId } = await setting.agent({
    tools: [code(source, { memory_mb: 8 }), { ...code(source, { memory_mb: 128 }), name: 'roomy' }],
  })
  setting.model.script(setting.calls('script', {}), setting.calls('roomy', {}), 'Done.')
  await setting.answer(agentId, 'x')
  const results = setting.model.requests
    .at(-1)
    ?.body.messages?.filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
  expect(results).toEqual([expect.stringContaining('more than its 8 MB of memory'), '24'])
})
