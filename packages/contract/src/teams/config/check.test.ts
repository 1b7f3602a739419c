import { describe, expect, test } from 'vitest'
import { mergeTeamConfig } from './check.ts'
import { TEAM_CONFIG_DEFAULTS } from './defaults.ts'
import { COORDINATION_MODES } from './team-config.ts'

const agent = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const members = (count: number) => Array.from({ length: count }, (_, n) => ({ agent: agent(n + 1) }))
const LEAD = { agent: agent(99) }
const valid = { mode: 'handoff', lead: { managed: {} }, members: members(2) }

const told = (changes: Record<string, unknown>) => {
  const result = mergeTeamConfig({ ...valid, ...changes })
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path} ${message}`)
}
/** An object with a value at a dotted path. */
const at = (path: string, value: unknown): Record<string, unknown> =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>
const defaultAt = (path: string) =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], TEAM_CONFIG_DEFAULTS)

describe('ranges', () => {
  test.for<[string, number, number, number]>([
    ['limits.max_iterations', 1, 25, 10],
    ['limits.lead_max_steps', 2, 50, 12],
    ['limits.max_delegations', 1, 100, 20],
    ['limits.max_concurrent_members', 1, 10, 4],
    ['limits.max_seconds', 5, 3_600, 900],
    ['limits.history_tokens', 0, 32_000, 8_000],
  ])('%s takes %d to %d, by default %d', ([path, low, high, initial]) => {
    expect(defaultAt(path)).toBe(initial)
    for (const value of [low, high]) expect(told(at(path, value))).toEqual([])
    expect(told(at(path, low - 1))).toEqual([`config.${path} must be at least ${low}`])
    expect(told(at(path, high + 1))).toEqual([`config.${path} must be at most ${high}`])
    expect(told(at(path, low + 0.5))).toEqual([`config.${path} must be an integer`])
  })

  test('a zero is out of range and never means that a limit is not set', () => {
    expect(told({ limits: { member_timeout_ms: null } })).toEqual([])
    expect(told({ limits: { member_timeout_ms: 0, max_delegations: 0 }, min_successful_members: 0 })).toEqual(
      [
        'config.min_successful_members must be at least 1',
        'config.limits.max_delegations must be at least 1',
        'config.limits.member_timeout_ms must be at least 1',
      ],
    )
  })

  test.for(COORDINATION_MODES)('the mode %s is known', (mode) => {
    expect(told({ mode })).toEqual([])
  })

  test('a misspelt key is a failure wherever it is', () => {
    expect(
      told({
        toggle: {},
        toggles: { add_date: true },
        limits: { seconds: 1 },
        lead: { managed: { modle: {} } },
      }),
    ).toEqual([
      'config.toggle is not a known field',
      'config.toggles.add_date is not a known field',
      'config.limits.seconds is not a known field',
      'config.lead.managed.modle is not a known field',
    ])
  })

  test('all failures are reported together, those of a managed lead with their paths', () => {
    expect(
      told({
        mode: 'swarm',
        lead: { managed: { instructions: 5, model: { primary: { temperature: 9 } } } },
        members: [{ agent: 'x' }, { agent: agent(1), role: '' }],
        memory: { summary: { trigger_tokens: 1 } },
      }),
    ).toEqual([
      'config.mode must be one of: handoff, dynamic-delegation, parallel, plan-execute',
      'config.members.0.agent must be a UUID',
      'config.members.1.role must not be empty',
      'config.memory.summary.trigger_tokens must be at least 1000',
      'config.lead.managed.instructions must be a string',
      'config.lead.managed.model.primary.temperature must be at most 2',
    ])
  })

  test.for([[], 'x', {}, { agent: agent(1), managed: {} }, { other: 1 }])('%j is not a lead', (lead) => {
    expect(told({ lead })).toEqual(['config.lead must have either managed or agent'])
  })

  test('reserved keys and excessive configurations are refused', () => {
    expect(told({ output: { schema: JSON.parse('{"__proto__": {}}') } })).toEqual([
      'config.output.schema.__proto__ is a reserved key',
    ])
    const schema = { description: 'x'.repeat(256 * 1024) }
    expect(told({ output: { schema } })).toEqual(['config must be at most 256 KB of JSON'])
  })
})

describe('members', () => {
  test('must be two or more beside a managed lead', () => {
    expect(told({ members: members(1) })).toEqual([
      'config.members must have at least 2 members when the lead is managed',
    ])
    expect(told({ members: members(2) })).toEqual([])
  })

  test('must be one or more beside a promoted lead, which counts as the second agent', () => {
    expect(told({ lead: LEAD, members: [] })).toEqual([
      'config.members must have at least 1 member beside the lead',
    ])
    expect(told({ mode: 'parallel', lead: LEAD, members: members(1) })).toEqual([])
  })

  test('must be at most 20, and 10 in parallel mode', () => {
    expect(told({ members: members(20) })).toEqual([])
    expect(told({ members: members(21) })).toEqual(['config.members must have at most 20 items'])
    expect(told({ mode: 'parallel', members: members(10) })).toEqual([])
    expect(told({ mode: 'parallel', members: members(11) })).toEqual([
      'config.members must have at most 10 members in parallel mode',
    ])
  })

  test('must be unique, and must not include the lead', () => {
    expect(told({ members: [...members(2), { agent: agent(1), role: 'again' }] })).toEqual([
      'config.members.2.agent is already a member',
    ])
    expect(told({ lead: LEAD, members: [...members(1), LEAD] })).toEqual([
      'config.members.1.agent is the lead of the team, which is not listed among its members',
    ])
  })
})

describe('choices', () => {
  test('the fallback member must be a member, in handoff mode', () => {
    expect(told({ fallback_member: agent(2) })).toEqual([])
    expect(told({ fallback_member: agent(3) })).toEqual(['config.fallback_member must be one of the members'])
    expect(told({ mode: 'parallel', fallback_member: agent(2) })).toEqual([
      'config.fallback_member must be null in every mode but handoff',
    ])
  })

  test('at most all members can be required to succeed', () => {
    expect(told({ mode: 'parallel', min_successful_members: 2 })).toEqual([])
    expect(told({ mode: 'parallel', min_successful_members: 3 })).toEqual([
      'config.min_successful_members must be at most 2, the number of members',
    ])
  })

  test('structured output needs its schema', () => {
    expect(told({ output: { mode: 'json_schema' } })).toEqual([
      'config.output.schema is required when mode is json_schema',
    ])
    expect(told({ output: { mode: 'json_schema', schema: { type: 'object' } } })).toEqual([])
    expect(told({ output: { schema: { type: 'array', minItems: 100_000_000 } } })).toEqual([
      'config.output.schema exceeds the limits of an answer: 10000 values and 100000 characters',
    ])
  })

  test('a contradiction of several fields is reported at each of them', () => {
    expect(
      told({ mode: 'parallel', members: members(1), fallback_member: agent(7), min_successful_members: 4 }),
    ).toEqual([
      'config.members must have at least 2 members when the lead is managed',
      'config.fallback_member must be null in every mode but handoff',
      'config.min_successful_members must be at most 1, the number of members',
    ])
  })
})
