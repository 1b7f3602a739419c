import { expect, test } from 'vitest'
import { recorded } from '../agent/testing/loop-setting.ts'
import type { Tool, ToolCall } from '../ports/tool.ts'
import { type Death, runMortally, type Script } from '../runner/testing/mortal-workers.ts'
import { CREW, RunKit, type TestTeam } from '../testing/run-kit.ts'
import { chainFailed, inTurn, type Reply } from '../testing/scripted-model.ts'
import { delegate, plan, review, route } from './testing/lead-replies.ts'

const agents = ['Ada', 'Ben'].map((name) => ({ name }))
const DOWN = chainFailed('It is down.')
const PAY = { call: 'pay', input: { amount: 7 } }
const TOLD =
  'It is down. Before it failed it had called pay: what that did is done, and must not be done again.'

/** A team whose members have the tool `pay`, and its calls. */
function setUp(mode: TestTeam['mode'], script: Record<string, Reply[]>, change: Partial<Tool> = {}) {
  const seen: ToolCall[] = []
  const pay = recorded('pay', seen, { idempotent: false, ...change })
  const toolboxes = { open: async () => ({ tools: [pay], [Symbol.asyncDispose]: async () => {} }) }
  const team = { mode, members: ['Ada', 'Ben'] }
  return { seen, toolboxes, kit: new RunKit({ agents, team, toolboxes, respond: inTurn(script) }) }
}

test('a member that failed after a call with effects is not replaced, and the error names the call', async () => {
  const { kit, seen } = setUp('handoff', { [CREW]: [route('m1')], Ada: [PAY, DOWN], Ben: [PAY, 'B'] })
  await using _ = kit
  expect(await kit.run()).toMatchObject({
    code: 'upstream_error',
    message: `Member Ada failed: ${TOLD}`,
  })
  expect(seen).toHaveLength(1)
})

test('a member that says nothing after a call with effects has not failed, and its lead reads its calls', async () => {
  const { kit, seen } = setUp('dynamic-delegation', {
    [CREW]: [delegate('m1: Pay 7'), 'Paid.'],
    Ada: [PAY, { finish: 'stop' }],
  })
  await using _ = kit
  expect(await kit.run()).toMatchObject({ content: 'Paid.', success: true })
  expect(kit.models.calls.at(-1)?.results[0]).toContain('status="ok">\n(no text; it had called pay)')
  expect(seen).toHaveLength(1)
})

test('a member whose answer is empty after a call with effects answers a handoff with an empty text', async () => {
  const { kit } = setUp('handoff', { [CREW]: [route('m1')], Ada: [PAY, { finish: 'stop' }] })
  await using _ = kit
  expect(await kit.run()).toMatchObject({ content: '', success: true })
})

test.each<[string, Partial<Tool>]>([
  ['is idempotent', { idempotent: true }],
  ['was denied', { approval: { timeoutSeconds: 60, emails: [], isNeeded: () => true } }],
  ['got no context', { execute: async () => ({ ok: false, code: 'missing_context', message: 'No key.' }) }],
])('a member that failed after a call that %s is replaced', async (_, change) => {
  const { kit } = setUp('handoff', { [CREW]: [route('m1')], Ada: [PAY, DOWN], Ben: ['B'] }, change)
  await using __ = kit
  expect(await kit.run()).toMatchObject({ content: 'B' })
})

test.each<[string, Partial<Tool>]>([
  ['failed', { execute: async () => ({ ok: false, code: 'http_500', message: 'No.' }) }],
  ['recognises only its own repetition', { idempotent: true, acts: true }],
])('a member that failed after a call that %s is not replaced', async (_, change) => {
  const { kit } = setUp('handoff', { [CREW]: [route('m1')], Ada: [PAY, DOWN], Ben: ['B'] }, change)
  await using __ = kit
  expect(await kit.run()).toMatchObject({ message: `Member Ada failed: ${TOLD}` })
})

test('a member that timed out during a call has acted', async () => {
  const hangs = { execute: () => new Promise<never>(() => {}) }
  const members = ['Ada', 'Ben']
  const team = { mode: 'parallel', members, toggles: { auto_member_input: false } } as const
  const limits = { member_timeout_ms: 20 }
  const seen: ToolCall[] = []
  const tools = [recorded('pay', seen, { idempotent: false, ...hangs })]
  await using slow = new RunKit({
    ...{ agents, team: { ...team, limits } },
    toolboxes: { open: async () => ({ tools, [Symbol.asyncDispose]: async () => {} }) },
    respond: inTurn({ Ada: [PAY], Ben: ['B'], [CREW]: ['ALL'] }),
  })
  expect(await slow.run()).toMatchObject({ content: 'ALL' })
  expect(slow.models.calls.at(-1)?.asked).toContain(
    'It did not answer within 20 ms. Before it failed it had called pay',
  )
})

test('a lead reads the calls of a failed member, and cannot assign the same task to another one', async () => {
  const { kit, seen } = setUp('dynamic-delegation', {
    [CREW]: [delegate('m1: Pay 7'), delegate('m2: pay  7'), delegate('m2: Write the receipt'), 'LAST'],
    Ada: [PAY, DOWN],
    Ben: ['B'],
  })
  await using _ = kit
  expect(await kit.run()).toMatchObject({ content: 'LAST' })
  const lead = kit.models.calls.filter(({ agent }) => agent === CREW)
  expect(lead.at(-1)?.results).toEqual([
    `<member_result id="call_0_0" member="m1" status="error">\n${TOLD}\n</member_result>`,
    expect.stringContaining('m1 (Ada) got this task and failed half-way. It is down.'),
    expect.stringContaining('status="ok"'),
  ])
  expect(seen).toHaveLength(1)
})

test('a task that acted before it failed is retried only with a description of the remaining work', async () => {
  const { kit, seen } = setUp('plan-execute', {
    [CREW]: [plan('t1 m1'), review('continue', { retry: ['t1'] }), review('impossible'), 'REPORT'],
    Ada: [PAY, DOWN, PAY, 'A'],
  })
  await using _ = kit
  expect(await kit.run()).toMatchObject({ success: false })
  expect(seen).toHaveLength(1)
  const reviews = kit.models.calls.filter(({ agent }) => agent === CREW).map(({ asked }) => asked)
  expect(reviews[1]).toContain('had called pay')
  expect(reviews[2]).toContain(
    'retry of t1 refused: its attempt changed something before it failed; retry it with a description of what is left to do',
  )
})

const script: Script = ({ agent, forced, results }) => {
  if (forced !== null)
    return { key: 'route:0', reply: { call: forced, input: { member: 'm1', task: 'Pay.' } } }
  if (agent !== 'Ada') return { key: 'member:m2:1/step:0', reply: PAY }
  if (results.length === 0) return { key: 'member:m1:0/step:0', reply: PAY }
  return { key: 'member:m1:0/step:1', reply: DOWN }
}
const DEATHS = [0, 1, 2, 3, 4].flatMap((at) =>
  (['after', 'before'] as const).map((when): Death[] => [{ at, when }]),
)

test.each(DEATHS)('a job whose worker dies at %j never pays twice', async (...deaths) => {
  const seen: ToolCall[] = []
  const pay = recorded('pay', seen, { idempotent: false })
  const toolboxes = { open: async () => ({ tools: [pay], [Symbol.asyncDispose]: async () => {} }) }
  const team = { mode: 'handoff', members: ['Ada', 'Ben'] } as const
  const { run } = await runMortally({ agents, team, toolboxes }, script, deaths)
  expect(run).toMatchObject({ status: 'failed', end: { errorMessage: `Member Ada failed: ${TOLD}` } })
  expect(seen.length).toBeLessThanOrEqual(1)
})
