import { expect, test } from 'vitest'
import { MAX_FIELD_ERRORS } from '../../errors/field-path.ts'
import type { AgentConfig } from './agent-config.ts'
import { mergeAgentConfig } from './check.ts'
import { AGENT_CONFIG_DEFAULTS } from './defaults.ts'

function merged(patch: Record<string, unknown>, stored?: AgentConfig): AgentConfig {
  const result = mergeAgentConfig(patch, stored)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.config
}
const errorsOf = (patch: Record<string, unknown>) => {
  const result = mergeAgentConfig(patch)
  return result.ok ? [] : result.errors
}

test('objects merge at every depth and keep absent siblings', () => {
  const first = merged({ model: { primary: { model_id: 'a', temperature: 1 } }, instructions: 'You write.' })
  const second = merged({ model: { primary: { temperature: 0 } } }, first)
  expect(second.model.primary).toMatchObject({ model_id: 'a', temperature: 0 })
  expect(second.instructions).toBe('You write.')
  expect(second.model.retry).toEqual(AGENT_CONFIG_DEFAULTS.model.retry)
})

test('arrays replace', () => {
  const first = merged({ skills: [{ slug: 'a' }, { slug: 'b' }] })
  expect(merged({ skills: [{ slug: 'c' }] }, first).skills).toEqual([{ slug: 'c' }])
  expect(merged({ skills: [] }, first).skills).toEqual([])
})

test('null is stored if the type allows it', () => {
  const first = merged({ model: { primary: { temperature: 1 } } })
  expect(merged({ model: { primary: { temperature: null } } }, first).model.primary.temperature).toBeNull()
})

test('null restores the default if the type does not allow it, also of a whole part', () => {
  const first = merged({ execution: { max_steps: 3, max_seconds: 10 }, tools: [], instructions: 'x' })
  expect(merged({ execution: { max_steps: null }, instructions: null }, first)).toMatchObject({
    execution: { max_steps: 20, max_seconds: 10 },
    instructions: '',
  })
  expect(merged({ execution: null }, first).execution).toEqual(AGENT_CONFIG_DEFAULTS.execution)
})

test('null removes a key of metadata', () => {
  const first = merged({ metadata: { team: 'support', tier: 'gold' } })
  expect(merged({ metadata: { team: null } }, first).metadata).toEqual({ tier: 'gold' })
})

test('an absent value is not a null', () => {
  const first = merged({ instructions: 'x' })
  expect(merged({ instructions: undefined }, first).instructions).toBe('x')
})

test('unknown keys are kept with their nulls, at every depth outside tools', () => {
  const first = merged({ future: { a: 1, b: null }, execution: { later: [1] } })
  const second = merged({ future: { c: 2 } }, first) as AgentConfig & Record<string, unknown>
  expect(second.future).toEqual({ a: 1, b: null, c: 2 })
  expect(second.execution).toMatchObject({ later: [1], max_steps: 20 })
})

test('a part missing in a stored configuration of an older server gets its defaults', () => {
  const { guardrails: _, ...older } = merged({ instructions: 'x' })
  const read = merged({}, older as AgentConfig)
  expect(read.guardrails).toEqual({ input: [], output: [] })
  expect(read.instructions).toBe('x')
})

test.for(['__proto__', 'constructor', 'prototype'])('the key %s is refused at every depth', (key) => {
  const inner = JSON.parse(`{"${key}": {"polluted": true}}`) as Record<string, unknown>
  for (const [patch, path] of [
    [inner, `config.${key}`],
    [{ metadata: inner }, `config.metadata.${key}`],
    [{ tools: [{ body: inner }] }, `config.tools.0.body.${key}`],
  ] as const) {
    expect(errorsOf(patch)).toEqual([{ path, message: 'is a reserved key' }])
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('reserved keys are listed up to a few more than a response lists', () => {
  const tools = Array.from({ length: 5_000 }, () => ({ constructor: 1 }))
  const { length } = errorsOf({ tools })
  expect(length).toBeGreaterThanOrEqual(MAX_FIELD_ERRORS)
  expect(length).toBeLessThan(MAX_FIELD_ERRORS + 5)
})

test('the merged whole is at most 256 KB', () => {
  const room = 256 * 1024 - JSON.stringify({ ...AGENT_CONFIG_DEFAULTS, extra: '' }).length
  expect(errorsOf({ extra: 'x'.repeat(room) })).toEqual([])
  expect(errorsOf({ extra: 'x'.repeat(room + 1) })).toEqual([
    { path: 'config', message: 'must be at most 256 KB of JSON' },
  ])
  expect(errorsOf({ extra: 'ü'.repeat(room / 2 + 1) })).toHaveLength(1)
})

test('an excessively nested value is refused instead of exhausting the stack', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  expect(errorsOf({ extra: deep })).toEqual([
    { path: 'config', message: 'must be nested at most 64 levels deep' },
  ])
})

test('all failures are reported together, each place once', () => {
  const errors = errorsOf({
    model: { primary: { temperature: 9, top_p: 'x' } },
    instructions: 5,
    metadata: { a: 1 },
    tools: [{ type: 'builtin', name: '', builtin: 'calculator' }],
  })
  expect(errors).toEqual([
    { path: 'config.model.primary.temperature', message: 'must be at most 2' },
    { path: 'config.model.primary.top_p', message: 'must be a number or null' },
    { path: 'config.instructions', message: 'must be a string' },
    { path: 'config.metadata.a', message: 'must be a string' },
    {
      path: 'config.tools.0.name',
      message: 'must start with a letter or _ and have at most 64 letters, digits, _ and -',
    },
  ])
})

test('structured output needs its schema', () => {
  expect(errorsOf({ execution: { output: { mode: 'json_schema' } } })).toEqual([
    { path: 'config.execution.output.schema', message: 'is required when mode is json_schema' },
  ])
  expect(errorsOf({ execution: { output: { mode: 'json_schema', schema: { type: 'object' } } } })).toEqual([])
})
