import type { ToolRun } from '@troupe/agents/ports'
import type { ToolConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import { configuredTool } from './configured-tool.ts'
import type { ToolBody } from './tool-maker.ts'

const CALL = { id: 'call_0_0', key: 'call:0.0', signal: new AbortController().signal }
const config = (change: object = {}): ToolConfig => ({
  type: 'builtin',
  name: 'look_up',
  builtin: 'calculator',
  ...change,
})
const body = (change: Partial<ToolBody> = {}): ToolBody => ({
  description: 'Looks something up.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, tenant: { type: 'string' } },
    required: ['id', 'tenant'],
  },
  idempotent: true,
  execute: async (input, _, context) => ({ ok: true, text: JSON.stringify([input, context]) }),
  ...change,
})
const run = (toolContext: Record<string, unknown> = {}) => ({ toolContext }) as ToolRun

test('a configuration names the tool, and may set its description, its timeout and whether it is idempotent', () => {
  expect(configuredTool(config(), body(), run())).toMatchObject({
    name: 'look_up',
    description: 'Looks something up.',
    timeoutMs: 30_000,
    idempotent: true,
  })
  const own = config({ description: 'Mine.', timeout_ms: 5, idempotent: false })
  expect(configuredTool(own, body({ name: 'other' }), run()).description).toBe('Looks something up.')
  expect(configuredTool(own, body(), run())).toMatchObject({
    name: 'look_up',
    description: 'Mine.',
    timeoutMs: 5,
    idempotent: false,
  })
})

test('arguments are checked against the schema that the model sees', () => {
  const tool = configuredTool(config(), body(), run())
  expect(tool.problemOf({ id: 'a', tenant: 'b' })).toBeNull()
  expect(tool.problemOf({ id: 1 })).toMatch(/^The arguments are not valid: /)
})

const BOUND = [{ key: 'customer', required: true, bind: 'tenant' }]

test('a bound parameter is hidden from the model, and filled from the context even if the model sends a value', async () => {
  const tool = configuredTool(config({ context_keys: BOUND }), body(), run({ customer: 'c-1', other: 'x' }))
  expect(tool.inputSchema).toMatchObject({ properties: { id: { type: 'string' } }, required: ['id'] })
  expect(tool.problemOf({ id: 'a' })).toBeNull()
  expect(await tool.execute({ id: 'a', tenant: 'forged' }, CALL)).toEqual({
    ok: true,
    text: '[{"id":"a","tenant":"c-1"},{"customer":"c-1"}]',
  })
})

test.each([
  {},
  { customer: null },
])("a required key that the context %j lacks is not reported as the model's fault", async (context) => {
  const tool = configuredTool(config({ context_keys: BOUND }), body(), run(context))
  expect(await tool.execute({ id: 'a' }, CALL)).toEqual({
    ok: false,
    code: 'missing_context',
    message: 'The request that started this run has no customer in tool_context. The model cannot supply it.',
  })
})

test('the model cannot supply a bound parameter that the context lacks', async () => {
  const tool = configuredTool(config({ context_keys: [{ key: 'customer', bind: 'tenant' }] }), body(), run())
  expect(await tool.execute({ id: 'a', tenant: 'forged' }, CALL)).toEqual({
    ok: true,
    text: '[{"id":"a"},{}]',
  })
})

test('long strings of the context are hidden in results and errors, also as JSON writes them', async () => {
  const secret = 'to"ken-123456'
  const keys = [{ key: 'token' }, { key: 'short' }]
  const echo = (outcome: Awaited<ReturnType<ToolBody['execute']>>) =>
    configuredTool(
      config({ context_keys: keys }),
      body({ execute: async () => outcome }),
      run({ token: { deep: [secret] }, short: 'abc' }),
    ).execute({}, CALL)
  expect(await echo({ ok: true, text: `x${secret}y abc ${JSON.stringify(secret)}${secret}` })).toEqual({
    ok: true,
    text: 'x[hidden]y abc "[hidden]"[hidden]',
  })
  expect(await echo({ ok: false, code: 'failed', message: `no ${secret}` })).toMatchObject({
    message: 'no [hidden]',
  })
})
