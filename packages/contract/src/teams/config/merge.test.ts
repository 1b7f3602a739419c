import { expect, test } from 'vitest'
import { mergeTeamConfig } from './check.ts'
import { MANAGED_LEAD_DEFAULTS, TEAM_CONFIG_DEFAULTS } from './defaults.ts'
import { agentsOfTeam } from './team-agents.ts'
import type { TeamConfig } from './team-config.ts'

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
]
const MEMBERS = [{ agent: A }, { agent: B }]
const DESK = { mode: 'handoff', lead: { managed: {} }, members: MEMBERS }

function merged(patch: Record<string, unknown>, stored?: TeamConfig): TeamConfig {
  const result = mergeTeamConfig(patch, stored)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.config
}
const told = (patch: Record<string, unknown>, stored?: TeamConfig) => {
  const result = mergeTeamConfig(patch, stored)
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path} ${message}`)
}

test('a mode, a lead and members are enough; all other fields have defaults', () => {
  expect(merged(DESK)).toEqual({
    mode: 'handoff',
    lead: { managed: MANAGED_LEAD_DEFAULTS },
    members: [
      { agent: A, role: null },
      { agent: B, role: null },
    ],
    ...TEAM_CONFIG_DEFAULTS,
  })
  expect(TEAM_CONFIG_DEFAULTS).toMatchObject({
    toggles: { auto_member_input: true, members_see_team_history: false },
    limits: { max_iterations: 10, lead_max_steps: 12, max_delegations: 20, max_concurrent_members: 4 },
  })
})

test('without them, each is reported', () => {
  expect(told({})).toEqual([
    'config.mode is required',
    'config.lead is required',
    'config.members is required',
  ])
  expect(told({ mode: null, lead: null, members: null }, merged(DESK))).toEqual(told({}))
})

test('an update keeps absent fields', () => {
  const first = merged({ ...DESK, limits: { max_seconds: 60 }, toggles: { add_datetime: true } })
  const second = merged({ limits: { max_delegations: 3 }, toggles: { add_team_name: true } }, first)
  expect(second).toEqual({
    ...first,
    limits: { ...first.limits, max_delegations: 3 },
    toggles: { ...first.toggles, add_team_name: true },
  })
  expect(merged({}, second)).toEqual(second)
})

test('members are replaced, and null restores a default', () => {
  const first = merged({ ...DESK, limits: { max_seconds: 60, member_timeout_ms: 5 } })
  const second = merged({ members: [{ agent: C, role: 'new' }, { agent: A }], limits: null }, first)
  expect(second.members).toEqual([
    { agent: C, role: 'new' },
    { agent: A, role: null },
  ])
  expect(second.limits).toEqual(TEAM_CONFIG_DEFAULTS.limits)
  expect(merged({ limits: { max_seconds: null } }, first).limits).toMatchObject({
    max_seconds: 900,
    member_timeout_ms: 5,
  })
})

test('a managed lead merges into a managed one, down to its model', () => {
  const model = { primary: { model_id: 'big', temperature: 1 }, fallbacks: [{ model_id: 'small' }] }
  const first = merged({ ...DESK, lead: { managed: { instructions: 'Lead.', model } } })
  const second = merged({ lead: { managed: { model: { primary: { temperature: 0 } } } } }, first)
  expect(second.lead).toMatchObject({
    managed: {
      instructions: 'Lead.',
      model: {
        primary: { model_id: 'big', temperature: 0 },
        fallbacks: [{ model_id: 'small', on: ['error', 'rate_limit', 'timeout', 'context_overflow'] }],
        retry: MANAGED_LEAD_DEFAULTS.model.retry,
      },
    },
  })
  expect(merged({ lead: { managed: null } }, second).lead).toEqual({ managed: MANAGED_LEAD_DEFAULTS })
})

test('a lead of the other kind replaces the stored one as a whole', () => {
  const managed = merged({ ...DESK, lead: { managed: { instructions: 'Lead.' } } })
  const promoted = merged({ lead: { agent: C } }, managed)
  expect(promoted.lead).toEqual({ agent: C })
  expect(merged({ mode: 'parallel' }, promoted).lead).toEqual({ agent: C })
  expect(merged({ lead: { managed: {} } }, promoted).lead).toEqual({ managed: MANAGED_LEAD_DEFAULTS })
})

test('equal configurations have equal texts, in any order of keys', () => {
  const { mode, lead, members } = DESK
  const one = merged({ members, limits: { max_seconds: 9, max_iterations: 2 }, lead, mode })
  const two = merged({ mode, limits: { max_iterations: 2 }, lead, members })
  expect(JSON.stringify(merged({ limits: { max_seconds: 9 } }, two))).toBe(JSON.stringify(one))
})

test('ids are kept in lower case', () => {
  const config = merged({
    mode: 'handoff',
    lead: { agent: C.toUpperCase() },
    members: [{ agent: A.toUpperCase() }],
    fallback_member: A.toUpperCase(),
  })
  expect(config).toMatchObject({ lead: { agent: C }, members: [{ agent: A }], fallback_member: A })
})

test('a part missing in a stored configuration of an older server gets its defaults', () => {
  const { limits: _, guardrails: __, ...older } = merged(DESK)
  expect(merged({}, older as TeamConfig)).toEqual(merged(DESK))
})

test('neither the patch, the stored configuration nor the defaults are changed or shared', () => {
  const patch = { ...DESK, lead: { managed: { model: { fallbacks: [{ model_id: 'a' }] } } } }
  const stored = merged(patch)
  const copies = structuredClone({ patch, stored, TEAM_CONFIG_DEFAULTS, MANAGED_LEAD_DEFAULTS })
  scribble(merged(patch, stored))
  scribble(merged({}, stored))
  expect({ patch, stored, TEAM_CONFIG_DEFAULTS, MANAGED_LEAD_DEFAULTS }).toEqual(copies)
})

/** Overwrites everything reachable. */
function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const child of Object.values(value)) scribble(child)
  for (const name of Object.keys(value)) (value as Record<string, unknown>)[name] = 'scribbled'
}

test('the agents of a team are its promoted lead and its members, with their paths', () => {
  expect(agentsOfTeam(merged({ ...DESK, lead: { agent: C } }))).toEqual([
    { agentId: C, role: 'lead', path: 'config.lead.agent' },
    { agentId: A, role: 'member', path: 'config.members.0.agent' },
    { agentId: B, role: 'member', path: 'config.members.1.agent' },
  ])
  expect(agentsOfTeam(merged(DESK)).map(({ role }) => role)).toEqual(['member', 'member'])
})

test('an output schema replaces the previous one whole', () => {
  const object = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  const array = { type: 'array', items: { type: 'string' } }
  const before = merged({ ...DESK, output: { mode: 'json_schema', schema: object } })
  expect(merged({ output: { schema: array } }, before).output.schema).toEqual(array)
})
