import { describe, expect, test } from 'vitest'
import { type MergedConfig, mergeAgentConfig } from './check.ts'
import { AGENT_CONFIG_DEFAULTS, FALLBACK_DEFAULTS } from './defaults.ts'

/** One row of the configuration table: default, accepted and refused values. */
interface Row {
  path: string
  default: unknown
  accepted: unknown[]
  rejected: unknown[]
}

const UUID = '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e'
const long = (length: number) => 'x'.repeat(length)
const bool = (path: string, initial: boolean): Row => ({
  path,
  default: initial,
  accepted: [true, false],
  rejected: ['true', 1, [], {}],
})
const int = (path: string, low: number, high: number, initial: number): Row => ({
  path,
  default: initial,
  accepted: [low, high, low + 1],
  rejected: [low - 1, high + 1, low + 0.5, String(low), true, []],
})
const choice = (path: string, values: string[], initial: string): Row => ({
  path,
  default: initial,
  accepted: values,
  rejected: ['', 'other', values[0]?.toUpperCase(), 1],
})
const nullable = (row: Row): Row => ({ ...row, default: null, accepted: [...row.accepted, null] })
const map = (path: string): Row => ({ path, default: {}, accepted: [{}, { a: 1 }], rejected: [[], 'x', 1] })

const uuid = (path: string): Row =>
  nullable({ path, default: null, accepted: [UUID], rejected: ['x', '', 1] })
const parameters = (at: string): Row[] => [
  uuid(`${at}.llm_config_id`),
  nullable({ path: `${at}.model_id`, default: null, accepted: ['gpt-x'], rejected: ['', 1] }),
  nullable({ path: `${at}.temperature`, default: null, accepted: [0, 2, 0.7], rejected: [-0.01, 2.01, '1'] }),
  nullable({ path: `${at}.top_p`, default: null, accepted: [0, 1, 0.5], rejected: [-0.01, 1.01, '1'] }),
  nullable({
    path: `${at}.max_output_tokens`,
    default: null,
    accepted: [1, 100_000],
    rejected: [0, 1.5, '1'],
  }),
  nullable({ path: `${at}.seed`, default: null, accepted: [0, -1, 42], rejected: [1.5, '1'] }),
  nullable({
    path: `${at}.stop_sequences`,
    default: null,
    accepted: [[], ['a', 'b', 'c', 'd']],
    rejected: [['a', 'b', 'c', 'd', 'e'], [''], [1], 'a'],
  }),
  nullable(choice(`${at}.reasoning_effort`, ['none', 'low', 'medium', 'high'], '')),
  map(`${at}.provider_options`),
]
const tool = (name: string) => ({ type: 'builtin', name, builtin: 'calculator' })
const rules = (path: string): Row => {
  const rule = { type: 'pii', action: 'block' }
  return {
    path,
    default: [],
    accepted: [[], Array(10).fill({ ...rule, message: 'No.', run: 'parallel', on_error: 'allow' })],
    rejected: [
      Array(11).fill(rule),
      [{ type: 'pii' }],
      [{ ...rule, type: 'other' }],
      [{ ...rule, run: 'x' }],
      {},
    ],
  }
}

const TABLE: Row[] = [
  ...parameters('model.primary'),
  {
    path: 'model.fallbacks',
    default: [],
    accepted: [[], [{}], Array(5).fill({ model_id: 'b', on: ['timeout'] })],
    rejected: [Array(6).fill({}), [{ on: [] }], [{ on: ['other'] }], [{ temperature: 3 }], {}],
  },
  int('model.retry.attempts_per_model', 1, 3, 2),
  { ...int('model.retry.first_token_timeout_ms', 1, 600_000, 20_000) },
  { ...int('model.retry.idle_timeout_ms', 1, 600_000, 30_000) },
  { ...int('model.retry.call_timeout_ms', 1, 3_600_000, 120_000) },
  choice('model.mid_stream', ['fail', 'restart'], 'fail'),
  { path: 'instructions', default: '', accepted: ['', long(100_000)], rejected: [long(100_001), 1, []] },
  bool('prompt.add_datetime', false),
  bool('prompt.add_agent_name', false),
  {
    path: 'prompt.timezone',
    default: 'UTC',
    accepted: ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'],
    rejected: ['', 'Mars/Phobos', '+02:00', 1],
  },
  nullable({ path: 'prompt.expected_output', default: null, accepted: ['', 'A list.'], rejected: [1, []] }),
  bool('memory.history.enabled', true),
  nullable({ path: 'memory.history.max_runs', default: null, accepted: [0, 10], rejected: [-1, 1.5, '1'] }),
  nullable({
    path: 'memory.history.max_tokens',
    default: null,
    accepted: [0, 10_000],
    rejected: [-1, 1.5, '1'],
  }),
  int('memory.history.tool_traffic_runs', 0, 20, 2),
  bool('memory.summary.enabled', true),
  int('memory.summary.trigger_tokens', 1_000, 100_000, 6_000),
  bool('memory.user_memories.enabled', false),
  choice('memory.user_memories.scope', ['agent', 'project'], 'agent'),
  int('memory.user_memories.max', 1, 1_000, 200),
  {
    path: 'tools',
    default: [],
    accepted: [[], Array.from({ length: 64 }, (_, n) => tool(`t${n}`))],
    rejected: [Array.from({ length: 65 }, (_, n) => tool(`t${n}`)), [tool('t'), tool('t')], [{}], [null], {}],
  },
  {
    path: 'skills',
    default: [],
    accepted: [
      [],
      [{ skill_id: UUID }],
      [{ slug: 'tone', pinned_version: 3 }],
      Array(32).fill({ slug: 's' }),
    ],
    rejected: [
      Array(33).fill({ slug: 's' }),
      [{}],
      [{ slug: '' }],
      [{ skill_id: 'x' }],
      [{ slug: 's', pinned_version: 0 }],
    ],
  },
  { path: 'knowledge.base_ids', default: [], accepted: [[], [UUID]], rejected: [['x'], UUID] },
  choice('knowledge.mode', ['tool', 'auto'], 'tool'),
  int('knowledge.top_k', 1, 20, 5),
  nullable({ path: 'knowledge.min_score', default: null, accepted: [0, 1, 0.3], rejected: [-0.1, 1.1, '1'] }),
  uuid('knowledge.rerank_llm_config_id'),
  bool('knowledge.cite', true),
  map('knowledge.filters'),
  int('execution.max_steps', 1, 100, 20),
  int('execution.max_tool_calls', 0, 500, 50),
  int('execution.max_seconds', 5, 3_600, 600),
  bool('execution.parallel_tool_calls', true),
  choice('execution.tool_choice', ['auto', 'required', 'none'], 'auto'),
  int('execution.loop_guard.repeat_limit', 2, 20, 3),
  nullable({
    path: 'execution.budget.max_total_tokens',
    default: null,
    accepted: [1, 1e9],
    rejected: [0, 1.5, '1'],
  }),
  nullable({
    path: 'execution.budget.max_cost_usd',
    default: null,
    accepted: [0.01, 5],
    rejected: [0, -1, '1'],
  }),
  choice('execution.budget.on_exceeded', ['finalize', 'fail'], 'finalize'),
  { ...choice('execution.output.mode', ['text'], 'text'), rejected: ['xml', 1] },
  nullable({
    path: 'execution.output.schema',
    default: null,
    accepted: [{ type: 'object' }],
    rejected: ['x', []],
  }),
  choice('execution.output.strategy', ['auto', 'native', 'final_step'], 'auto'),
  int('execution.output.max_repairs', 0, 5, 2),
  rules('guardrails.input'),
  rules('guardrails.output'),
  bool('privacy.store_messages', true),
  bool('privacy.trace_inputs', true),
  bool('privacy.trace_outputs', true),
  bool('privacy.expose_reasoning', false),
  nullable({ path: 'expose', default: null, accepted: ['mcp'], rejected: ['api', '', true, []] }),
  { path: 'metadata', default: {}, accepted: [{}, { team: 'support' }], rejected: [{ a: 1 }, [], 'x'] },
]

function patchAt(path: string, value: unknown): Record<string, unknown> {
  return path.split('.').reduceRight((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>
}

function valueAt(config: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => (at as Record<string, unknown>)[key], config)
}

function place(merged: MergedConfig, path: string): string {
  return merged.ok
    ? 'accepted'
    : (merged.errors.map((error) => error.path).find((at) => at.startsWith(`config.${path}`)) ?? 'elsewhere')
}

describe.for(TABLE)('config.$path', (row) => {
  test('has the default of the table', () => {
    expect(valueAt(AGENT_CONFIG_DEFAULTS, row.path)).toEqual(row.default)
  })

  test('accepts the values of the table, at both ends', () => {
    for (const value of row.accepted) {
      expect(mergeAgentConfig(patchAt(row.path, value)), JSON.stringify(value)).toMatchObject({ ok: true })
    }
  })

  test('refuses the rest, naming the place', () => {
    for (const value of row.rejected) {
      const merged = mergeAgentConfig(patchAt(row.path, value))
      expect(place(merged, row.path), JSON.stringify(value)?.slice(0, 80)).toContain(`config.${row.path}`)
    }
  })
})

test('the table covers every default', () => {
  const leaves = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? Object.entries(value).flatMap(([key, child]) => leaves(child, path === '' ? key : `${path}.${key}`))
      : [path]
  expect(TABLE.map((row) => row.path).sort()).toEqual(leaves(AGENT_CONFIG_DEFAULTS, '').sort())
})

test('the defaults are a valid configuration', () => {
  expect(mergeAgentConfig({})).toEqual({ ok: true, config: AGENT_CONFIG_DEFAULTS })
})

test('a fallback uses the defaults for missing values', () => {
  const merged = mergeAgentConfig({ model: { fallbacks: [{ model_id: 'b', on: ['timeout'] }, {}] } })
  expect(valueAt(merged, 'config.model.fallbacks')).toEqual([
    { ...FALLBACK_DEFAULTS, model_id: 'b', on: ['timeout'] },
    FALLBACK_DEFAULTS,
  ])
})

test.for(parameters('model.fallbacks.0'))('a fallback has the rules of the primary model: $path', (row) => {
  const key = row.path.split('.').at(-1) ?? ''
  for (const value of row.accepted) {
    expect(mergeAgentConfig({ model: { fallbacks: [{ [key]: value }] } })).toMatchObject({ ok: true })
  }
  for (const value of row.rejected) {
    expect(place(mergeAgentConfig({ model: { fallbacks: [{ [key]: value }] } }), row.path)).toContain(
      row.path,
    )
  }
})
