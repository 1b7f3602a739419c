import { expect, test } from 'vitest'
import { answerOf, CREW, RunKit, type TestTeam } from '../../testing/run-kit.ts'
import { chainFailed, inTurn, type Reply, type ScriptedCall } from '../../testing/scripted-model.ts'
import { delegate } from '../testing/lead-replies.ts'

const names = ['Ada', 'Ben', 'Cy']
const agents = names.map((name) => ({ name }))

function setUp(
  script: Record<string, Reply[]> | ((call: ScriptedCall) => Reply),
  team: Partial<TestTeam> = {},
): RunKit {
  const respond = typeof script === 'function' ? script : inTurn(script)
  return new RunKit({ agents, team: { mode: 'dynamic-delegation', members: names, ...team }, respond })
}

const leadCalls = (kit: RunKit) => kit.models.calls.filter(({ agent }) => agent === CREW)

test('the lead reads every result as data, with its id, its member and its status', async () => {
  await using kit = setUp({
    [CREW]: [delegate('m1', 'm2', 'm3'), 'LAST'],
    Ada: ['A'],
    Ben: [chainFailed('Ben is down.')],
    Cy: [[{ text: 'No.' }, { finish: 'content-filter' }]],
  })
  expect(await kit.run()).toMatchObject({ content: 'LAST', success: true })
  expect(leadCalls(kit)[1]?.results).toEqual([
    '<member_result id="call_0_0" member="m1" status="ok">\nA\n</member_result>',
    '<member_result id="call_0_1" member="m2" status="error">\nBen is down.\n</member_result>',
    '<member_result id="call_0_2" member="m3" status="refused">\nNo.\n</member_result>',
  ])
})

test.each([
  { direct: true, first: 'auto' },
  { direct: false, first: 'required' },
])('if the lead may answer directly is $direct, the first choice is $first', async ({ direct, first }) => {
  await using kit = setUp(
    { [CREW]: [delegate('m1'), 'LAST'], Ada: ['A'] },
    { config: { lead_may_answer_directly: direct } },
  )
  await kit.run()
  expect(leadCalls(kit).map(({ options }) => options.toolChoice?.type)).toEqual([first, 'auto'])
})

test('at most max_concurrent_members work concurrently, and all of them do', async () => {
  let working = 0
  let most = 0
  await using kit = setUp(
    ({ agent, results }) => {
      if (agent === CREW) return results.length > 0 ? 'LAST' : delegate('m1: a', 'm1: b', 'm2', 'm3', 'm3: c')
      working += 1
      most = Math.max(most, working)
      const leave = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => {
        working -= 1
      })
      return [{ wait: leave }, { text: agent }]
    },
    { limits: { max_concurrent_members: 2 } },
  )
  expect(await kit.run()).toMatchObject({ content: 'LAST' })
  expect(most).toBe(2)
  expect(kit.models.calls).toHaveLength(7)
})

test('above max_delegations the tool returns an error, and equal tasks do not count', async () => {
  await using kit = setUp(
    { [CREW]: [delegate('m1', 'm1', 'm2', 'm3'), 'LAST'], Ada: ['A'], Ben: ['B'] },
    { limits: { max_delegations: 2 } },
  )
  expect(await kit.run()).toMatchObject({ content: 'LAST' })
  expect(leadCalls(kit)[1]?.results.at(-1)).toBe(
    '{"error":{"code":"denied","message":"delegation limit reached: answer with what you have."}}',
  )
})

test('the same task, however it is written, returns the earlier result again', async () => {
  await using kit = setUp({
    [CREW]: [delegate('m1: Do  THIS', 'm1: do this '), delegate('m1: DO this', 'm2: do this'), 'LAST'],
    Ada: ['A'],
    Ben: ['B'],
  })
  expect(await kit.run()).toMatchObject({ content: 'LAST', metrics: { inputTokens: 50 } })
  const first = '<member_result id="call_0_0" member="m1" status="ok">\nA\n</member_result>'
  expect(leadCalls(kit)[2]?.results).toEqual([
    first,
    `${first}\n(already delegated)`,
    `${first}\n(already delegated)`,
    '<member_result id="call_1_1" member="m2" status="ok">\nB\n</member_result>',
  ])
})

test('without rewriting, a member gets the message once, and a repetition is refused', async () => {
  const call = { call: 'delegate', input: { member: 'm1' } }
  await using kit = setUp(
    { [CREW]: [call, call, 'LAST'], Ada: ['A'] },
    { toggles: { auto_member_input: false } },
  )
  expect(await kit.run()).toMatchObject({ content: 'LAST' })
  expect(kit.models.calls.find(({ agent }) => agent === 'Ada')?.asked).toBe('MESSAGE')
  expect(leadCalls(kit)[2]?.results[1]).toBe(
    '{"error":{"code":"denied","message":"m1 (Ada) already has the message; its result is call_0_0."}}',
  )
  const schema = JSON.stringify(leadCalls(kit)[0]?.options.tools)
  expect(schema).not.toContain('"task"')
})

test.each([
  { call: 'delegate', input: { member: 'm9', task: 'T' }, problem: '"member" must be one of: m1, m2, m3.' },
  { call: 'delegate', input: { member: 'm1', task: ' ' }, problem: '"task" must not be empty.' },
])('an invalid delegation is a result: $problem', async ({ problem, ...call }) => {
  await using kit = setUp({ [CREW]: [call, 'LAST'] })
  expect(await kit.run()).toMatchObject({ content: 'LAST' })
  expect(leadCalls(kit)[1]?.results).toEqual([
    JSON.stringify({ error: { code: 'invalid_arguments', message: problem } }),
  ])
})

test('a result is embedded verbatim, in the answer and in the stream, and references to nothing are omitted', async () => {
  const table = '| a | b |\n|---|---|\n| 1 | `[[result:call_0_1]]` |'
  const last = ['First:\n[[res', 'ult:call_', '0_0]]\nand\n[[result:call_9_9]]\nin [[result:call_0_0]] line']
  await using kit = setUp({ [CREW]: [delegate('m1'), last.map((text) => ({ text }))], Ada: [table] })
  const events = await kit.stream()
  const content = `First:\n${table}\nand\nin [[result:call_0_0]] line`
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content } })
  expect(answerOf(events)).toBe(content)
})

test('the result of a failed member cannot be embedded, and a lead that wrote nothing else is called again', async () => {
  await using kit = setUp({
    [CREW]: [delegate('m1'), '[[result:call_0_0]]', 'Ada failed.'],
    Ada: [chainFailed('Down.')],
  })
  expect(await kit.run()).toMatchObject({ content: 'Ada failed.' })
})

test.each(['call_0_0', 'm1', 'ada', 'm1 (Ada)'])('a result is embedded by %s', async (name) => {
  await using kit = setUp({ [CREW]: [delegate('m1'), `[[result:${name}]]`], Ada: ['A'] })
  expect(await kit.run()).toMatchObject({ content: 'A' })
})

test('a lead with an empty answer is called again with the reports', async () => {
  await using kit = setUp({ [CREW]: [delegate('m1'), [], 'LAST'], Ada: ['A'] })
  expect(await kit.run()).toMatchObject({ content: 'LAST', success: true })
  expect(leadCalls(kit).at(-1)?.asked).toContain(
    '<member_result id="call_0_0" member="m1 (Ada)" status="ok">',
  )
})

test('the reports are the answer after two empty answers of a lead, and the trace reports that', async () => {
  await using kit = setUp({
    [CREW]: [delegate('m1', 'm2', 'm3'), [], []],
    Ada: ['A'],
    Ben: [chainFailed('Ben is down.')],
    Cy: ['C'],
  })
  const events = await kit.stream()
  const content = '**Ada**\n\nA\n\n**Ben** failed: Ben is down.\n\n**Cy**\n\nC'
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content, success: true } })
  expect(answerOf(events)).toBe(content)
  expect(events).toContainEqual(
    expect.objectContaining({ channel: 'trace', delta: expect.stringContaining("the members' reports") }),
  )
})

test('an empty answer of a lead without reports is an error', async () => {
  await using kit = setUp({ [CREW]: [[]] })
  expect(await kit.run()).toMatchObject({ code: 'upstream_error' })
})

test('a lead that cannot be reached after its members worked is 502, and their runs are kept', async () => {
  await using kit = setUp({ [CREW]: [delegate('m1'), chainFailed('The lead is down.')], Ada: ['A'] })
  expect(await kit.run()).toMatchObject({ code: 'upstream_error', message: 'The lead is down.' })
  const [run] = [...kit.store.runs.values()]
  expect([...(run?.members.values() ?? [])]).toMatchObject([{ status: 'completed', content: 'A' }])
  expect(run?.end?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
})

test('a long result is shown to the lead as head and tail, and embedded whole', async () => {
  const long = `HEAD${'x'.repeat(40_000)}TAIL`
  await using kit = setUp({ [CREW]: [delegate('m1'), '[[result:call_0_0]]'], Ada: [long] })
  expect(await kit.run()).toMatchObject({ content: long })
  const [shown] = leadCalls(kit)[1]?.results ?? []
  expect(shown?.length).toBeLessThan(8_000 * 3.5 + 200)
  expect(shown).toMatch(/HEADx+\n… \[\d+ bytes left out\] …\nx+TAIL/)
})
