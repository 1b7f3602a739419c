import { expect, test } from 'vitest'
import type { CatalogModel } from '../../ports/agent-catalog.ts'
import { ChatModelError } from '../../ports/chat-models.ts'
import { agentIdOf, CREW, RunKit, type TestTeam } from '../../testing/run-kit.ts'
import { chainFailed, inTurn, type Reply } from '../../testing/scripted-model.ts'
import { broadcast, plan, review, route } from '../testing/lead-replies.ts'

const agents = ['Ada', 'Ben'].map((name) => ({ name }))
/** The error of a chain whose only model refuses to be forced. */
const BAD_REQUEST = {
  throws: new ChatModelError('fatal', 'Refused.', 'c/m #1 http_400: tool_choice is not supported', {
    refusesRequest: true,
  }),
}

function setUp(lead: Reply[], team: Partial<TestTeam> = {}, model: Partial<CatalogModel> = {}) {
  return new RunKit({
    agents,
    team: { mode: 'handoff', members: ['Ada', 'Ben'], ...team },
    respond: inTurn({ [CREW]: lead, Ada: ['A'], Ben: ['B'] }),
    model,
  })
}

const leadCalls = (kit: RunKit) => kit.models.calls.filter(({ agent }) => agent === CREW)
const memberAsked = (kit: RunKit) => kit.models.calls.at(-1)?.asked

test("a decision is a forced call of one tool, with temperature 0, short and with the model's own reasoning effort", async () => {
  await using kit = setUp([route('m2')])
  await kit.run()
  const { toolChoice, tools, temperature, reasoning, maxOutputTokens, responseFormat } =
    leadCalls(kit)[0]?.options ?? {}
  expect(toolChoice).toEqual({ type: 'tool', toolName: 'route' })
  expect([tools?.length, temperature, reasoning, maxOutputTokens]).toEqual([1, 0, undefined, 1_000])
  expect(responseFormat).toBeUndefined()
})

const CAPS: [string, Partial<TestTeam>, Reply[], number[]][] = [
  ['a route without a task', { toggles: { auto_member_input: false } }, [route('m2')], [200]],
  ['a broadcast', { mode: 'parallel' }, [broadcast('R'), 'ALL'], [1_500]],
  [
    'a plan, a review and a report',
    { mode: 'plan-execute' },
    [plan('t1 m1'), review('complete', { evidence: ['t1'] }), 'REPORT'],
    [4_000, 4_000, 1_500],
  ],
]
test.each(CAPS)('%s may have this length', async (_, team, lead, caps) => {
  await using kit = setUp(lead, team)
  await kit.run()
  expect(leadCalls(kit).map(({ options }) => options.maxOutputTokens ?? null)).toEqual([
    ...caps,
    ...Array.from({ length: lead.length - caps.length }, () => null),
  ])
})

const WRONG: Record<string, { reply: Reply; said: string; problem: string }> = {
  'an unknown key': {
    reply: route('m9'),
    said: 'route {"member":"m9","task":"TASK-m9"}',
    problem: '"member" must be one of: m1, m2.',
  },
  'an empty task': {
    reply: route('m1', ' '),
    said: 'route {"member":"m1","task":" "}',
    problem: '"task" must be the request for the member.',
  },
  'broken JSON': {
    reply: { call: 'route', input: '{"member"' },
    said: 'route {"member"',
    problem: 'The arguments are not valid JSON.',
  },
  'text instead of a call': {
    reply: 'I would ask Ben.',
    said: 'I would ask Ben.',
    problem: 'The arguments are not valid JSON.',
  },
  'nothing at all': { reply: [], said: '(no answer)', problem: 'Call the tool route.' },
  'another tool': {
    reply: { call: 'search', input: { q: 1 } },
    said: 'search {"q":1}',
    problem: 'Call the tool route.',
  },
}
test.each(Object.entries(WRONG))('%s is repaired once, with its problem', async (_, {
  reply,
  said,
  problem,
}) => {
  await using kit = setUp([reply, route('m2')])
  expect(await kit.run()).toMatchObject({ content: 'B', metrics: { inputTokens: 30 } })
  const [, second] = leadCalls(kit)
  expect(second?.asked).toBe(`That was not valid. ${problem}`)
  expect(second?.prompt.at(-2)).toEqual({ role: 'assistant', content: [{ type: 'text', text: said }] })
})

test('the first valid call counts, regardless of others beside it', async () => {
  await using kit = setUp([
    [
      { text: 'Hm.' },
      { call: 'search', input: {} },
      route('m9') as never,
      route('m2') as never,
      route('m1') as never,
    ],
  ])
  expect(await kit.run()).toMatchObject({ content: 'B' })
})

test('without a valid decision the fallback member answers the message itself', async () => {
  await using kit = setUp(['Hm.', 'Well.'], { config: { fallback_member: agentIdOf('Ben') } })
  expect(await kit.run()).toMatchObject({ content: 'B' })
  expect(memberAsked(kit)).toBe('MESSAGE')
})

test('without a valid decision and without a fallback member there is no answer', async () => {
  await using kit = setUp(['Hm.', 'Well.'])
  expect(await kit.run()).toMatchObject({
    code: 'upstream_error',
    message: 'The lead of the team did not choose a member.',
  })
})

test('a text that is exactly a key is the last resort', async () => {
  await using kit = setUp([' m2\n'])
  expect(await kit.run()).toMatchObject({ content: 'B', metrics: { inputTokens: 20 } })
  expect(memberAsked(kit)).toBe('MESSAGE')
})

test('a model without forced tool calls must return JSON of the same schema', async () => {
  await using kit = setUp(['{"member":"m2","task":"T"}'], {}, { toolChoice: false })
  expect(await kit.run()).toMatchObject({ content: 'B' })
  const { options } = leadCalls(kit)[0] ?? {}
  expect(options).not.toHaveProperty('tools')
  expect(options).not.toHaveProperty('toolChoice')
  expect(options?.responseFormat).toMatchObject({
    type: 'json',
    name: 'route',
    schema: { required: ['member', 'task'], properties: { member: { enum: ['m1', 'm2'] } } },
  })
  expect(memberAsked(kit)).toBe('T')
})

test('a chain that answers 400 is called without temperature, then with JSON, and may still be repaired', async () => {
  const json = ['{"member":"m9","task":"T"}', '{"member":"m1","task":"T"}']
  await using kit = setUp([BAD_REQUEST, BAD_REQUEST, ...json])
  expect(await kit.run()).toMatchObject({ content: 'A', metrics: { inputTokens: 30 } })
  const asked = leadCalls(kit).map(({ options }) => [
    options.responseFormat?.type ?? 'tool',
    options.temperature,
  ])
  expect(asked).toEqual([
    ['tool', 0],
    ['tool', undefined],
    ['json', undefined],
    ['json', undefined],
  ])
})

test('a chain that also refuses JSON, and any other failure, is the failure of the lead', async () => {
  await using refused = setUp([BAD_REQUEST, BAD_REQUEST, BAD_REQUEST])
  expect(await refused.run()).toMatchObject({ code: 'upstream_error', message: 'Refused.' })
  await using down = setUp([chainFailed('Down.', 'c/m #1 http_500: http_400')])
  expect(await down.run()).toMatchObject({ code: 'upstream_error', message: 'Down.' })
  expect(leadCalls(down)).toHaveLength(1)
})

test('text of a lead beside a decision is never shown', async () => {
  await using kit = setUp([[{ text: 'SECRET THOUGHT' }, route('m2') as never]])
  expect(JSON.stringify(await kit.stream())).not.toContain('SECRET THOUGHT')
})

test('arguments of a truncated step are not a decision', async () => {
  const cut = { call: 'route', input: { member: 'm2', task: 'Half of the ta' } }
  await using kit = setUp([[cut, { finish: 'length' }], route('m1')])
  expect(await kit.run()).toMatchObject({ content: 'A' })
  expect(leadCalls(kit)[1]?.asked).toContain('The answer was cut off')
})
