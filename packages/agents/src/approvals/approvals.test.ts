import { expect, test, vi } from 'vitest'
import { recorded, tool } from '../agent/testing/loop-setting.ts'
import type { Tool, ToolCall } from '../ports/tool.ts'
import { checkJob, type Death, runMortally, type Script } from '../runner/testing/mortal-workers.ts'
import { CREW, RunKit } from '../testing/run-kit.ts'
import type { Reply, ScriptedCall } from '../testing/scripted-model.ts'

const ALWAYS = { approval: { timeoutSeconds: 60, emails: [], isNeeded: () => true } }
const agents = [{ name: 'Ada' }, { name: 'Ben' }]
const PAY = { call: 'pay', input: { amount: 7 } }

function toolboxOf(tools: readonly Tool[]) {
  return { open: async () => ({ tools, [Symbol.asyncDispose]: async () => {} }) }
}

/** A tool that must never run twice, and its calls. */
function payments() {
  const seen: ToolCall[] = []
  return { seen, pay: recorded('pay', seen, { ...ALWAYS, idempotent: false }) }
}

/** The events of a log except those about model calls. */
const namesOf = (events: readonly { event: string }[]) =>
  events.map(({ event }) => event).filter((name) => !name.startsWith('Model') && name !== 'RunContent')

const handoff = { mode: 'handoff', members: ['Ada', 'Ben'] } as const
const handoffScript: Script = ({ forced, results }) => {
  if (forced !== null)
    return { key: 'route:0', reply: { call: forced, input: { member: 'm1', task: 'Pay.' } } }
  if (results.length === 0) return { key: 'member:m1:0/step:0', reply: PAY }
  return { key: 'member:m1:0/step:1', reply: `Ada paid: ${results[0]}` }
}

test('a member that waited for an approval answers itself, and the lead is not called again', async () => {
  const { seen, pay } = payments()
  const job = await runMortally({ agents, team: handoff, toolboxes: toolboxOf([pay]) }, handoffScript, [])
  checkJob(job)
  expect(job.run.end).toMatchObject({ status: 'completed', content: 'Ada paid: pay' })
  expect([job.calls, seen.length]).toEqual([3, 1])
  expect(namesOf(job.events)).toEqual([
    ...['RunStarted', 'MemberRunStarted', 'ToolApprovalRequired', 'ToolApprovalResolved'],
    ...['ToolCallStarted', 'ToolCallCompleted', 'MemberRunCompleted', 'RunCompleted'],
  ])
  expect(job.events).toContainEqual(
    expect.objectContaining({
      ...{ event: 'ToolApprovalRequired', toolName: 'pay', args: { amount: 7 } },
      source: expect.objectContaining({ role: 'member', agentName: 'Ada' }),
    }),
  )
})

/** Kills the worker at every commit, before the job parks and after the decision. */
const MOMENTS = ['after', 'before', 'logged'] as const
const DEATHS = [0, 1, 2, 3, 4].flatMap((at) =>
  MOMENTS.flatMap((when): Death[][] => [
    [{ at, when }],
    [
      { at: 99, when },
      { at, when },
    ],
    [
      { at: 99, when },
      { at, when, redelivered: true },
      { at: 0, when: 'after' },
    ],
  ]),
)

test.for(DEATHS)('a worker that dies at %j neither asks nor pays twice', async (deaths) => {
  const { seen, pay } = payments()
  const job = await runMortally({ agents, team: handoff, toolboxes: toolboxOf([pay]) }, handoffScript, deaths)
  checkJob(job)
  expect(job.run.approvals.size).toBe(1)
  expect(seen.length).toBeLessThanOrEqual(1)
  // If the worker died during the call, its outcome is unknown; after any other death the call happens.
  const isUnknown = job.run.end?.content?.includes('unknown_outcome')
  if (!isUnknown) expect([job.run.end?.content, seen.length]).toEqual(['Ada paid: pay', 1])
  const told = (name: string) => job.events.filter(({ event }) => event === name).length
  expect([told('ToolApprovalRequired'), told('ToolApprovalResolved')]).toEqual([1, 1])
})

test('the other members work while one waits, and the lead writes once all have ended', async () => {
  const { seen, pay } = payments()
  const respond = ({ agent, results }: ScriptedCall): Reply => {
    if (agent === CREW) return 'Together.'
    if (agent === 'Ben') return 'Ben is done.'
    return results.length === 0 ? PAY : 'Ada is done.'
  }
  const team = { mode: 'parallel', members: ['Ada', 'Ben'], toggles: { auto_member_input: false } } as const
  await using kit = new RunKit({ agents, team, toolboxes: toolboxOf([pay]), respond })
  const delivery = await kit.enqueue()
  await kit.worker().advance(delivery)
  const run = kit.store.run(delivery.runId)
  expect(run).toMatchObject({ parked: true, workerId: null, status: 'running' })
  expect([...run.members.values()].map(({ content }) => content)).toEqual(['Ben is done.'])
  const slice = kit.store.resolveAll(delivery.runId, { status: 'approved', reason: null })
  await kit.worker().advance({ ...delivery, slice })
  expect(run.end).toMatchObject({ status: 'completed', content: 'Together.' })
  expect([kit.models.calls.map(({ agent }) => agent), seen.length]).toEqual([['Ada', 'Ben', 'Ada', CREW], 1])
})

test('calls that run one after another do not overtake the waiting one', async () => {
  const { pay } = payments()
  const note = tool('note')
  const respond = ({ results }: ScriptedCall): Reply =>
    results.length === 0 ? [PAY, { call: 'note', input: {} }] : results.join(', ')
  const config = (given: { execution: { parallel_tool_calls: boolean } }) => {
    given.execution.parallel_tool_calls = false
  }
  await using kit = new RunKit({
    agents: [{ name: 'Ada', config }],
    toolboxes: toolboxOf([pay, note]),
    respond,
  })
  const delivery = await kit.enqueue()
  await kit.worker().advance(delivery)
  const run = kit.store.run(delivery.runId)
  expect([...run.steps.keys()]).toEqual(['step:0', 'call:0.0:approval'])
  const slice = kit.store.resolveAll(delivery.runId, { status: 'denied', reason: 'no' })
  await kit.worker().advance({ ...delivery, slice })
  expect(run.end?.content).toBe('{"error":{"code":"denied","message":"denied: no"}}, note {}')
})

test('a turn that ends while a call waits releases the job instead of parking it', async () => {
  const { pay } = payments()
  let goOn = () => {}
  const waits = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const respond = ({ agent, results }: ScriptedCall): Reply => {
    if (agent === CREW) return 'Together.'
    if (agent === 'Ben')
      return results.length > 0 ? 'Ben is done.' : [{ wait: waits }, { call: 'note', input: {} }]
    return results.length === 0 ? PAY : 'Ada is done.'
  }
  const team = { mode: 'parallel', members: ['Ada', 'Ben'], toggles: { auto_member_input: false } } as const
  await using kit = new RunKit({ agents, team, toolboxes: toolboxOf([pay, tool('note')]), respond })
  const delivery = await kit.enqueue()
  const turn = kit.worker(1).advance(delivery)
  const run = kit.store.run(delivery.runId)
  await expect.poll(() => run.approvals.size).toBe(1)
  // The turn of one millisecond has certainly ended.
  await new Promise((resolve) => setTimeout(resolve, 5))
  goOn()
  await turn
  expect(run).toMatchObject({ parked: false, workerId: null, slice: 1 })
  await kit.worker().advance({ ...delivery, slice: 1 })
  expect(run.parked).toBe(true)
  expect([...run.members.values()].map(({ content }) => content)).toEqual(['Ben is done.'])
})

test('a verdict on other arguments than those of the call does not count', async () => {
  const { seen, pay } = payments()
  const respond = ({ results }: ScriptedCall): Reply => (results.length === 0 ? PAY : (results[0] ?? ''))
  await using kit = new RunKit({ agents: [{ name: 'Ada' }], toolboxes: toolboxOf([pay]), respond })
  const delivery = await kit.enqueue()
  await kit.worker().advance(delivery)
  const { steps } = kit.store.run(delivery.runId)
  steps.set('step:0', String(steps.get('step:0')).replace('7', '7000'))
  const slice = kit.store.resolveAll(delivery.runId, { status: 'approved', reason: null })
  await kit.worker().advance({ ...delivery, slice })
  expect(kit.store.run(delivery.runId).end?.content).toContain('the call differs from the approved one')
  expect(seen).toEqual([])
})

test('a stream waits in its process, and its working time is paused', async () => {
  vi.useFakeTimers()
  try {
    const { seen, pay } = payments()
    const respond = ({ results }: ScriptedCall): Reply => (results.length === 0 ? PAY : 'Paid.')
    const config = (given: { execution: { max_seconds: number } }) => {
      given.execution.max_seconds = 5
    }
    await using kit = new RunKit({ agents: [{ name: 'Ada', config }], toolboxes: toolboxOf([pay]), respond })
    const streamed = kit.stream()
    await vi.waitFor(() => expect([...kit.store.runs.values()][0]?.approvals.size).toBe(1))
    await vi.advanceTimersByTimeAsync(50_000)
    kit.store.resolveAll(kit.store.onlyRun().start.runId, { status: 'approved', reason: null })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(namesOf(await streamed)).toEqual([
      ...[
        'RunStarted',
        'ToolApprovalRequired',
        'ToolApprovalResolved',
        'ToolCallStarted',
        'ToolCallCompleted',
      ],
      'RunCompleted',
    ])
    expect(seen).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test.for([
  [60, 60],
  [86_400, 900],
])('a stream waits for a call with an approval_timeout_s of %i for %i s', async ([timeoutSeconds, waits]) => {
  vi.useFakeTimers()
  try {
    const { pay } = payments()
    const approval = { ...ALWAYS.approval, timeoutSeconds: timeoutSeconds ?? 0 }
    const respond = ({ results }: ScriptedCall): Reply => (results.length === 0 ? PAY : 'Paid.')
    const toolboxes = toolboxOf([{ ...pay, approval }])
    await using kit = new RunKit({ agents: [{ name: 'Ada' }], toolboxes, respond })
    const startedAt = Date.now()
    const streamed = kit.stream()
    await vi.waitFor(() => expect([...kit.store.runs.values()][0]?.approvals.size).toBe(1))
    const [run] = kit.store.runs.values()
    const [asked] = run?.approvals.values() ?? []
    // Milliseconds may pass before the call.
    expect(Math.floor(((asked?.approval.expiresAt ?? 0) - startedAt) / 1_000)).toBe(waits)
    kit.store.resolveAll(kit.store.onlyRun().start.runId, { status: 'approved', reason: null })
    await vi.advanceTimersByTimeAsync(2_000)
    await streamed
  } finally {
    vi.useRealTimers()
  }
})
