import { expect, test } from 'vitest'
import { starters } from './starters.ts'

const labels = (config: object, names = {}) => starters(config, names).map(({ label }) => label)
const team = (mode: string) => ({
  mode,
  lead: { agent: 'a' },
  members: [{ agent: 'r' }, { agent: 'w' }, { agent: 'gone' }],
  ...{ toggles: {}, limits: {}, memory: {}, output: {}, guardrails: {} },
})
const NAMES = { r: 'Researcher', w: 'Writer' }

test('an agent without settings gets questions about itself', () => {
  expect(labels({})).toEqual(['What can you do for me?', 'Introduce yourself in three sentences.'])
})

test('knowledge, built-in tools and named tools each have a first message', () => {
  const config = {
    knowledge: { base_ids: ['k'] },
    tools: [
      { type: 'builtin', builtin: 'calculator' },
      { type: 'http', name: 'look_up_order' },
      { type: 'workflow', name: 'refund' },
    ],
  }
  expect(starters(config, {})).toEqual([
    { label: 'What can you do for me?', text: 'What can you do for me?', isWhole: true },
    { label: 'What are your documents about?', text: 'What are your documents about?', isWhole: true },
    { label: 'What is 17.5 % of 1,249?', text: 'What is 17.5 % of 1,249?', isWhole: true },
    { label: 'Look up order…', text: 'Look up order ', isWhole: false },
  ])
})

test.each([
  [{ type: 'mcp', server_id: 's' }],
  [{ type: 'openapi', name: 'api' }],
  [{ type: 'http' }],
  [{ type: 'builtin', builtin: 'of a later build' }],
  [{ type: 'http', name: 'x'.repeat(64) }],
  ['text'],
  [null],
])('a tool that names nothing to ask for is omitted: %j', (tool) => {
  expect(labels({ tools: [tool] })).toHaveLength(2)
})

test('tools or members of the same name have one first message together', () => {
  const tool = { type: 'http', name: 'look_up_order' }
  expect(labels({ tools: [tool, tool] })).toEqual(['What can you do for me?', 'Look up order…'])
  expect(labels(team('handoff'), { r: 'Writer', w: 'Writer' })).toEqual([
    'What can you do for me?',
    'A task for Writer…',
  ])
})

test('an id of an agent that is a key of every object has no name', () => {
  const odd = { ...team('handoff'), members: [{ agent: 'constructor' }, { agent: 'toString' }] }
  expect(labels(odd)).toEqual(['What can you do for me?', 'Introduce yourself in three sentences.'])
})

test('a team offers its members if the lead chooses among them, and its way of working otherwise', () => {
  expect(labels(team('handoff'), NAMES)).toEqual([
    'What can you do for me?',
    'A task for Researcher…',
    'A task for Writer…',
  ])
  expect(labels(team('parallel'), NAMES)).toEqual([
    'What can you do for me?',
    'From each of your perspectives…',
  ])
  expect(labels(team('plan-execute'), NAMES)).toEqual([
    'What can you do for me?',
    'Make a plan and carry it out…',
  ])
})
