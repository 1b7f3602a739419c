import { DomainError } from '@troupe/contract'
import { expect, test } from 'vitest'
import { agentIdOf, answerOf, CREW, RunKit, type TestTeam } from '../../testing/run-kit.ts'
import { chainFailed, inTurn, type Reply, type ScriptedCall } from '../../testing/scripted-model.ts'
import { plan, review } from '../testing/lead-replies.ts'

const agents = ['Ada', 'Ben', 'Cy'].map((name) => ({ name }))
const DOWN = chainFailed('It is down.')
const DONE = review('complete', { evidence: ['t1'] })

function setUp(
  script: Record<string, Reply[]> | ((call: ScriptedCall) => Reply),
  team: Partial<TestTeam> = {},
): RunKit {
  const respond = typeof script === 'function' ? script : inTurn(script)
  return new RunKit({ agents, team: { mode: 'plan-execute', members: ['Ada', 'Ben'], ...team }, respond })
}

async function completed(kit: RunKit) {
  const result = await kit.run()
  if (result instanceof DomainError) throw result
  return result
}

test('every decision and every attempt has its own key in the journal', async () => {
  await using kit = setUp({
    [CREW]: [
      plan('t1 m1', 't2 m2 after t1'),
      review('continue', { retry: ['t1'] }),
      review('continue'),
      DONE,
      'REPORT',
    ],
    Ada: [DOWN, 'A'],
    Ben: ['B'],
  })
  const delivery = await kit.enqueue()
  await kit.worker().advance(delivery)
  const { steps, end } = kit.store.run(delivery.runId)
  expect([...steps.keys()]).toEqual([
    'plan',
    'task:t1:1',
    'review:1',
    'task:t1:2/step:0',
    'task:t1:2',
    'review:2',
    'task:t2:1/step:0',
    'task:t2:1',
    'review:3',
    'report',
  ])
  expect(end).toMatchObject({ content: 'REPORT\n\nGoal completed: yes', success: true })
})

test('the result names the plan with the agents and the runs of its tasks', async () => {
  await using kit = setUp({ [CREW]: [plan('t1 m1'), DONE, 'REPORT'], Ada: ['A'] })
  const result = await completed(kit)
  const [memberRunId] = [...(kit.store.run(result.runId).members.keys() ?? [])]
  expect(result.plan).toEqual({
    goalCompleted: true,
    stopReason: 'goal_completed',
    iterations: 1,
    maxIterations: 10,
    tasks: [
      {
        id: 't1',
        title: 'Title t1',
        status: 'completed',
        assigneeAgentId: agentIdOf('Ada'),
        attempts: 1,
        memberRunId,
      },
    ],
  })
})

test('a plan with a defect is repaired once with the defect named; a second defect ends the run', async () => {
  const cyclic = plan('t1 m1 after t2', 't2 m2 after t1')
  await using repaired = setUp({ [CREW]: [cyclic, plan('t1 m1'), DONE, 'REPORT'], Ada: ['A'] })
  expect((await completed(repaired)).content).toBe('REPORT\n\nGoal completed: yes')
  expect(repaired.models.calls[1]?.asked).toBe(
    'That was not valid. tasks t1, t2 depend on each other in a cycle',
  )
  await using broken = setUp({ [CREW]: [cyclic, cyclic] })
  expect(await broken.run()).toMatchObject({
    code: 'upstream_error',
    message: 'The lead of the team did not produce a valid plan.',
  })
})

test('independent tasks run concurrently, at most max_concurrent_members', async () => {
  let working = 0
  let most = 0
  await using kit = setUp(
    ({ agent, forced }) => {
      if (forced === 'submit_plan') return plan('t1 m1', 't2 m2', 't3 m1', 't4 m2', 't5 m1')
      if (forced === 'review') return DONE
      if (agent === CREW) return 'REPORT'
      working += 1
      most = Math.max(most, working)
      const leave = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => {
        working -= 1
      })
      return [{ wait: leave }, { text: agent }]
    },
    { limits: { max_concurrent_members: 3 } },
  )
  expect((await completed(kit)).plan?.iterations).toBe(1)
  expect(most).toBe(3)
})

const ONE = '<interaction member="m1 (Ada)">\nTask: t1 Title t1\nResponse: A-ONE\n</interaction>'
const TWO = '<interaction member="m1 (Ada)">\nTask: t2 Title t2\nResponse: A-TWO\n</interaction>'

test.each([
  { shared: false, seen: ONE },
  { shared: true, seen: `${ONE}\n${TWO}` },
])('a task sees its dependencies, and every result if interactions are shared: $shared', async ({
  shared,
  seen,
}) => {
  await using kit = setUp(
    {
      [CREW]: [plan('t1 m1', 't2 m1', 't3 m2 after t1'), review('continue'), DONE, 'REPORT'],
      Ada: ['A-ONE', 'A-TWO'],
      Ben: ['B'],
    },
    { toggles: { share_member_interactions: shared } },
  )
  await kit.run()
  expect(kit.models.calls.find(({ agent }) => agent === 'Ben')?.asked).toBe(
    `<member_interactions>\n${seen}\n</member_interactions>\n\n<task>\nDO-t3\n</task>`,
  )
})

test('tasks of one round do not see each other, even if they run one after the other', async () => {
  await using kit = setUp(
    { [CREW]: [plan('t1 m1', 't2 m2'), DONE, 'REPORT'], Ada: ['A'], Ben: ['B'] },
    { toggles: { share_member_interactions: true }, limits: { max_concurrent_members: 1 } },
  )
  await kit.run()
  expect(kit.models.calls.find(({ agent }) => agent === 'Ben')?.asked).toBe('DO-t2')
})

test('the review sees the criteria, the table, every result and the notes of the engine', async () => {
  await using kit = setUp(
    {
      [CREW]: [plan('t1 m1', 't2 m2 after t1'), DONE, DONE, 'REPORT'],
      Ada: ['A'],
      Ben: [DOWN],
    },
    { limits: { max_iterations: 2 } },
  )
  await kit.run()
  const reviews = kit.models.calls.filter(({ forced }) => forced === 'review')
  expect(reviews[0]?.asked).toContain('<criteria>\nGoal: The goal.\nc1: It is done.\n</criteria>')
  expect(reviews[0]?.asked).toContain('| t2 | Title t2 | pending | m2 | 0 | t1 |')
  expect(reviews[0]?.asked).not.toContain('<notes>')
  expect(reviews[1]?.asked).toContain('<notes>\n"complete" was refused: task t2 is pending\n</notes>')
  expect(reviews[1]?.asked).toContain(
    '<member_result task="t1" member="m1" status="completed">\nA\n</member_result>',
  )
  expect(reviews[1]?.asked).toContain('status="failed">\nIt failed: It is down.\n</member_result>')
  expect(reviews[1]?.asked).toContain('This was round 2 of at most 2.')
})

test('a lead that judges the goal impossible ends the run, with the question in its report', async () => {
  await using kit = setUp({
    [CREW]: [plan('t1 m1'), review('impossible', { reason: 'Which one?' }), 'Which one do you mean?'],
    Ada: ['Which one?'],
  })
  const result = await completed(kit)
  expect(result).toMatchObject({ success: false, plan: { stopReason: 'impossible' } })
  expect(result.content).toBe(
    'Which one do you mean?\n\nGoal completed: no (judged impossible; 1 of 1 tasks done)',
  )
})

test('an invalid review, even after the repair, means that the work continues', async () => {
  await using kit = setUp({ [CREW]: [plan('t1 m1'), 'Hm.', 'Well.', DONE, 'REPORT'], Ada: ['A'] })
  expect(await completed(kit)).toMatchObject({ success: true, plan: { iterations: 2 } })
})

test('a lead that fails in a review ends the run, and the engine writes the table of tasks', async () => {
  await using kit = setUp({ [CREW]: [plan('t1 m1', 't2 m2 after t1'), DOWN], Ada: ['A'] })
  const events = await kit.stream()
  const content =
    'The lead could not write a report. The tasks and their results:\n\n' +
    '| Task | Status | Attempts |\n| --- | --- | --- |\n| Title t1 | completed | 1 |\n| Title t2 | pending | 0 |' +
    '\n\nGoal completed: no (the lead failed; 1 of 2 tasks done)'
  expect(events.at(-1)).toMatchObject({
    event: 'RunCompleted',
    result: { content, success: false, plan: { stopReason: 'lead_error', goalCompleted: false } },
  })
  expect(answerOf(events)).toBe(content)
})

test('the text of a failed report is voided before the engine writes the table', async () => {
  await using kit = setUp(
    { [CREW]: [plan('t1 m1'), review('continue'), [{ text: 'Half a' }, DOWN]], Ada: ['A'] },
    { limits: { max_iterations: 1 } },
  )
  const events = await kit.stream()
  const last = events.at(-1)
  expect(last).toMatchObject({ event: 'RunCompleted', result: { plan: { stopReason: 'lead_error' } } })
  expect(answerOf(events)).not.toContain('Half a')
  expect(last?.event === 'RunCompleted' && last.result.content).toBe(answerOf(events))
})

test('an unreachable lead is 502 when the plan is due', async () => {
  await using kit = setUp({ [CREW]: [DOWN] })
  expect(await kit.run()).toMatchObject({ code: 'upstream_error', message: 'It is down.' })
})

test('a refusal is a failed task', async () => {
  await using kit = setUp({
    [CREW]: [plan('t1 m1'), review('continue', { cancel: ['t1'] }), review('impossible'), 'REPORT'],
    Ada: [[{ text: 'I must not.' }, { finish: 'content-filter' }]],
  })
  const result = await completed(kit)
  expect(kit.models.calls[2]?.asked).toContain('It failed: It refused: I must not.')
  expect(result.content).toBe('REPORT\n\nGoal completed: no (judged impossible; 0 of 0 tasks done)')
})

test('a promoted lead can be assigned tasks, as itself', async () => {
  await using kit = setUp({ Cy: [plan('t1 lead'), 'MINE', DONE, 'REPORT'] }, { lead: 'Cy' })
  const result = await completed(kit)
  expect(result.plan?.tasks).toMatchObject([{ assigneeAgentId: agentIdOf('Cy'), status: 'completed' }])
  expect(kit.models.calls[1]).toMatchObject({ system: 'INSTRUCTIONS-OF-Cy', asked: 'DO-t1' })
})

test('the stream has the plan, each round and each change of a task', async () => {
  await using kit = setUp({
    [CREW]: [plan('t1 m1', 't2 m2 after t1'), DONE, DONE, 'REPORT'],
    Ada: ['A'],
    Ben: ['B'],
  })
  const told = (await kit.stream()).flatMap((event) => {
    if (event.event === 'TaskUpdated')
      return [`${event.task.id} ${event.previousStatus}>${event.task.status}`]
    if (event.event === 'TaskIterationStarted') return [`round ${event.iteration}`]
    if (event.event === 'TaskIterationCompleted') return [`${event.verdict} ${event.reason}`]
    return event.event === 'PlanCreated' ? ['plan'] : []
  })
  expect(told).toEqual([
    'plan',
    'round 1',
    't1 pending>running',
    't1 running>completed',
    'complete REASON',
    'round 2',
    't2 pending>running',
    't2 running>completed',
    'complete REASON',
  ])
})
