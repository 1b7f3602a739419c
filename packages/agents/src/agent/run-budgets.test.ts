import type { AgentConfig } from '@troupe/contract'
import { expect, test, vi } from 'vitest'
import { BUDGET_SPENT, BudgetSpent, RunBudget, type Spending } from '../run/run-budget.ts'
import { delegate, plan, route } from '../team/testing/lead-replies.ts'
import { CREW, RunKit, type TestTeam } from '../testing/run-kit.ts'
import { inTurn, type Reply } from '../testing/scripted-model.ts'

type Budget = AgentConfig['execution']['budget']
const budget = (change: Partial<Budget>): Budget => ({
  max_total_tokens: null,
  max_cost_usd: null,
  on_exceeded: 'finalize',
  ...change,
})
const call = (inputTokens: number, outputTokens: number) => () => ({
  inputTokens,
  outputTokens,
  prices: null,
})
const onlyRun = (kit: RunKit) => kit.store.onlyRun()

test('a call that leaves budget for the last answer is made, one that does not is the last, then none follows', () => {
  const spent: Spending = { tokens: 0, costMicros: 0 }
  const run = new RunBudget(budget({ max_total_tokens: 3_000 }), () => spent)
  expect(run.reserve(call(100, 1_400), false).isLast).toBe(false)
  expect(run.reserve(call(0, 1_500), true).isLast).toBe(true)
  expect(() => run.reserve(call(1, 1_500), true)).toThrow(BudgetSpent)
})

test("a call's reservation is released at its end, and its cost remains", () => {
  const spent: Spending = { tokens: 0, costMicros: 0 }
  const run = new RunBudget(budget({ max_total_tokens: 5_000 }), () => spent)
  const first = run.reserve(call(500, 3_000), false)
  expect(run.reserve(call(0, 1_500), true).isLast).toBe(true)
  first[Symbol.dispose]()
  spent.tokens = 1_000
  expect(run.reserve(call(500, 500), false).isLast).toBe(false)
})

test("a member draws from the run, but not from the run's reserve for its last answer", () => {
  const run = new RunBudget(budget({ max_total_tokens: 4_000 }), () => ({ tokens: 0, costMicros: 0 }))
  const member = run.ofMember(budget({}), () => ({ tokens: 0, costMicros: 0 }))
  expect(member.reserve(call(500, 4_096), false).isLast).toBe(true)
  expect(() => member.reserve(call(500, 4_096), false)).toThrow(BudgetSpent)
  expect(run.reserve(call(400, 4_096), true).isLast).toBe(true)
})

test('without a limit nothing is estimated, and a limit of the run counts for its members', () => {
  const unlimited = new RunBudget()
  const estimate = vi.fn(call(1, 1))
  const spending = () => ({ tokens: 0, costMicros: 0 })
  expect(unlimited.reserve(estimate, false).isLast).toBe(false)
  expect(unlimited.ofMember(budget({}), spending).reserve(estimate, false).isLast).toBe(false)
  expect(estimate).not.toHaveBeenCalled()
  unlimited.ofMember(budget({ max_total_tokens: 9_000 }), spending).reserve(estimate, false)
  expect(estimate).toHaveBeenCalledOnce()
})

test('costs count by the prices of the models', () => {
  const run = new RunBudget(budget({ max_cost_usd: 0.01 }), () => ({ tokens: 0, costMicros: 4_000 }))
  const prices = { input: 1, output: 2 }
  expect(run.reserve(() => ({ inputTokens: 1_000, outputTokens: 1_000, prices }), false).isLast).toBe(false)
  expect(run.reserve(() => ({ inputTokens: 1_000, outputTokens: 1_000, prices }), true).isLast).toBe(true)
  expect(() => run.reserve(() => ({ inputTokens: 1, outputTokens: 1, prices }), true)).toThrow(BudgetSpent)
  expect(() => run.reserve(call(1, 1), true)).toThrow('no price')
})

function agent(change: Partial<Budget>, respond: (call: { options: unknown }) => Reply, text = 'MESSAGE') {
  const config = (full: AgentConfig) => {
    full.execution.budget = budget(change)
  }
  const kit = new RunKit({ agents: [{ name: 'Ada', config }], respond })
  return { kit, run: () => kit.run({ message: text }) }
}

test('an agent without room for more steps answers once without tools, within its reserve', async () => {
  const { kit, run } = agent({ max_total_tokens: 4_000 }, () => 'Short.')
  expect(await run()).toMatchObject({ content: 'Short.', success: true })
  expect(kit.models.calls[0]?.options).toMatchObject({ maxOutputTokens: 1_500 })
})

test('without room for any call the run reports that, and has not succeeded', async () => {
  const { kit, run } = agent({ max_total_tokens: 1_000 }, () => 'never')
  expect(await run()).toMatchObject({ content: BUDGET_SPENT, success: false, metrics: { inputTokens: 0 } })
  expect(kit.models.calls).toEqual([])
})

test('a budget with failure as its policy is 429 budget_exceeded, and the run has failed', async () => {
  const { kit, run } = agent({ max_total_tokens: 1_000, on_exceeded: 'fail' }, () => 'never')
  expect(await run()).toMatchObject({
    code: 'budget_exceeded',
    message: 'The budget of this run is used up.',
  })
  expect(onlyRun(kit).end).toMatchObject({ status: 'failed', errorCode: 'budget_exceeded' })
})

const MODES: [TestTeam['mode'], Record<string, Reply[]>][] = [
  ['handoff', { [CREW]: [route('m1')], Ada: ['A'] }],
  ['dynamic-delegation', { [CREW]: ['Best effort.'] }],
  ['parallel', { [CREW]: [{ call: 'broadcast', input: { task: 'T' } }, 'S'], Ada: ['A'], Ben: ['B'] }],
  ['plan-execute', { [CREW]: [plan('t1 m1')] }],
]

function team(mode: TestTeam['mode'], script: Record<string, Reply[]>, change: Partial<Budget>) {
  return new RunKit({
    agents: [{ name: 'Ada' }, { name: 'Ben' }],
    team: { mode, members: ['Ada', 'Ben'], limits: { budget: budget(change) } },
    respond: inTurn(script),
  })
}

test.each(MODES)('a team without room for a call reports that in %s', async (mode, script) => {
  await using kit = team(mode, script, { max_total_tokens: 500 })
  expect(await kit.run()).toMatchObject({ content: BUDGET_SPENT, success: false })
  expect(kit.models.calls).toEqual([])
})

test.each(MODES)('a team whose budget fails is 429 in %s', async (mode, script) => {
  await using kit = team(mode, script, { max_total_tokens: 500, on_exceeded: 'fail' })
  expect(await kit.run()).toMatchObject({ code: 'budget_exceeded' })
})

test('a lead whose members used up the budget answers with the available results', async () => {
  const long = 'w'.repeat(12_000)
  await using kit = team(
    'dynamic-delegation',
    { [CREW]: [delegate(`m1: ${long}`), 'Best effort.'], Ada: ['A'] },
    { max_total_tokens: 8_000 },
  )
  expect(await kit.run()).toMatchObject({ content: 'Best effort.', success: true })
  expect(kit.models.calls.at(-1)?.options).toMatchObject({
    maxOutputTokens: 1_500,
    toolChoice: { type: 'none' },
  })
})

test('a plan whose budget is used up ends with its completed tasks', async () => {
  const long = 'w'.repeat(14_000)
  const script = { [CREW]: [plan('t1 m1', 't2 m1', 't3 m2'), 'Report.'], Ada: [long, long], Ben: [long] }
  await using kit = team('plan-execute', script, { max_total_tokens: 9_000 })
  const result = await kit.run()
  expect(result).toMatchObject({ success: false, plan: { goalCompleted: false, stopReason: 'budget' } })
})
