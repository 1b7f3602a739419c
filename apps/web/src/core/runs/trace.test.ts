import type { AgentRunDetail, RunDetail } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { traceSteps } from './trace.ts'

type Call = AgentRunDetail['calls'][number]
type Member = AgentRunDetail['members'][number]
type Message = AgentRunDetail['messages'][number]

const call = (change: Partial<Call>): Call => ({
  ...{
    purpose: 'chat',
    memberRunId: null,
    agentId: null,
    agentName: null,
    llmConfigId: 'c',
    llmConfigName: 'C',
  },
  ...{
    modelId: 'small',
    attempt: 1,
    isFallback: false,
    inputTokens: 1,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 1,
  },
  ...{
    reasoningTokens: 0,
    hasAllTokens: true,
    costUsd: null,
    latencyMs: 100,
    firstTokenMs: null,
    ok: true,
    errorCode: null,
    providerMessage: null,
    note: null,
    promptId: null,
  },
  ...change,
})
const member = (runId: string, stepKey: string, startedMs: number): Member => ({
  ...{
    runId,
    stepKey,
    agentId: runId,
    agentName: runId,
    versionNumber: 1,
    status: 'completed',
    success: true,
  },
  ...{ input: 'Do it', content: 'Done', errorCode: null, error: null, inputTokens: 1, outputTokens: 1 },
  ...{ startedMs, completedMs: startedMs + 500 },
})
const agentRun: AgentRunDetail = {
  ...{ input: 'Hi', content: 'Ho', answeredBy: null, failoverUsed: false, storesMessages: true, flags: [] },
  ...{ tracesInputs: true, tracesOutputs: true, isSettled: true },
  ...{ citations: [], plan: null, messages: [], members: [], calls: [] },
}
const START = 1_800_000_000
function run(change: Partial<AgentRunDetail>): RunDetail {
  return {
    ...{ runId: 'r', kind: 'team', isTest: false, entity: { id: 'e', name: 'Desk' }, projectId: null },
    ...{ versionId: 'v', versionNumber: 1, source: 'api_sync', status: 'completed', statusReason: null },
    ...{
      success: true,
      error: null,
      createdAt: START,
      startedAt: START,
      completedAt: START + 2,
      durationMs: 60_000,
    },
    ...{
      inputTokens: 1,
      outputTokens: 1,
      costUsd: null,
      startedBy: null,
      sessionId: null,
      sessionRowId: null,
      userId: null,
      tag: null,
    },
    ...{ workflowRunId: null, workflowRun: null, agentRun: { ...agentRun, ...change } },
  }
}
const at = (ms: number) => START * 1_000 + ms

test('a handoff: the choice of the lead, the member with its call, and why', () => {
  const steps = traceSteps(
    run({
      calls: [call({ purpose: 'route' }), call({ memberRunId: 'm', latencyMs: 400 })],
      members: [member('m', 'member:m2:0', at(150))],
    }),
  )
  expect(steps.map(({ kind, depth }) => [kind, depth])).toEqual([
    ['run', 0],
    ['model', 1],
    ['member', 1],
    ['model', 2],
  ])
  expect(steps[2]).toMatchObject({ startMs: 150, durationMs: 500, why: 'The lead chose m2 with this task.' })
  expect(steps[3]).toMatchObject({ startMs: 150, isEstimated: true })
})

test('a second choice comes after the first member, even if both members are late', () => {
  const steps = traceSteps(
    run({
      calls: [call({ purpose: 'route' }), call({ purpose: 'route' })],
      members: [member('a', 'member:m1:0', at(9_000)), member('b', 'member:m2:1', at(20_000))],
    }),
  )
  expect(steps.map(({ title }) => title)).toEqual([
    'Desk',
    'Choose who answers',
    'a',
    'Choose who answers',
    'b',
  ])
  expect(steps[4]?.why).toContain('m2 in round 2')
})

test('members of a team in parallel are between the request and the answer', () => {
  const steps = traceSteps(
    run({
      calls: [call({ purpose: 'broadcast' }), call({ purpose: 'synthesis' })],
      members: [member('a', 'member:m1:0', at(120)), member('b', 'member:m2:0', at(130))],
    }),
  )
  expect(steps.map(({ kind }) => kind)).toEqual(['run', 'model', 'member', 'member', 'model'])
  expect(steps[4]?.startMs).toBe(630)
})

test('a fallback names the failed model and the reason, an attempt its number', () => {
  const steps = traceSteps(
    run({
      calls: [
        call({ modelId: 'big', ok: false, errorCode: 'http_429' }),
        call({ attempt: 2, ok: false, errorCode: 'timeout' }),
        call({ isFallback: true }),
      ],
    }),
  )
  expect(steps.map(({ why }) => why).slice(2)).toEqual([
    'Attempt 2, because the previous attempt failed (rate limit or quota).',
    'small failed (no answer in time), so the next model was tried.',
  ])
})

const MESSAGE: Message = {
  ...{ id: 'm', role: 'assistant', content: null, toolCalls: null, toolCallId: null, toolName: null },
  ...{ isError: null, agentId: null, agentName: null, runId: 'r', createdAt: START },
}
const tool = (ms: number) => ({
  ...{ toolCallId: `t${ms}`, name: 'calculator', arguments: {} },
  ...({ status: 'ok', result: '2', ms } as const),
})

test('tools are between the answer that called them and the next one', () => {
  const steps = traceSteps(
    run({
      calls: [call({}), call({})],
      messages: [
        { ...MESSAGE, toolCalls: [tool(30)] },
        { ...MESSAGE, id: 'n', content: '2' },
      ],
    }),
  )
  expect(steps.map(({ kind, startMs }) => [kind, startMs])).toEqual([
    ['run', 0],
    ['model', 0],
    ['tool', 100],
    ['model', 130],
  ])
})

test.each([
  ['begin together where the run was too short for one after the other', 260, [100, 100, 150]],
  ['begin together while the run goes on', null, [100, 100, 150]],
  ['begin one after the other where that fits the duration of the run', 285, [100, 130, 180]],
])('tools of one answer %s', (_, durationMs, starts) => {
  const detail = run({
    calls: [call({}), call({})],
    messages: [
      { ...MESSAGE, toolCalls: [tool(30), tool(50)] },
      { ...MESSAGE, id: 'n', content: '2' },
    ],
  })
  const steps = traceSteps({ ...detail, durationMs })
  expect(steps.slice(2).map(({ startMs }) => startMs)).toEqual(starts)
})

test('a member ends within its run, though runs know whole seconds only', () => {
  const detail = run({ calls: [call({ purpose: 'route' })], members: [member('m', 'member:m1:0', at(900))] })
  const steps = traceSteps({ ...detail, completedAt: START + 1, durationMs: 550 })
  expect(steps[2]).toMatchObject({ startMs: 50, durationMs: 500 })
})

test('a member without a known call is shown at its own time', () => {
  const steps = traceSteps(run({ members: [member('late', 'task:t1:1', at(30_000))] }))
  expect(steps[1]).toMatchObject({ title: 'late', startMs: 30_000, why: 'Its task in the plan: t1.' })
})

test('the rounds of a plan have rows, with the members that worked in them and how the lead judged them', () => {
  const steps = traceSteps(
    run({
      calls: [
        call({ purpose: 'plan' }),
        call({ purpose: 'review' }),
        call({ purpose: 'review', ok: false, errorCode: 'timeout' }),
        call({ purpose: 'review', attempt: 2 }),
        call({ purpose: 'report' }),
        call({ memberRunId: 'a', latencyMs: 400 }),
      ],
      members: [
        member('a', 'task:t1:1', at(120)),
        member('b', 'task:t2:1', at(130)),
        member('c', 'task:t3:1', at(900)),
      ],
    }),
  )
  expect(steps.map(({ title, depth }) => `${depth} ${title}`)).toEqual([
    '0 Desk',
    '1 Plan',
    '1 Round 1',
    '2 a',
    '3 Answer',
    '2 b',
    '2 Check the results',
    '1 Round 2',
    '2 c',
    '2 Check the results',
    '2 Check the results',
    '1 Write the report',
  ])
  expect(steps[2]).toMatchObject({ kind: 'round', detail: '2 tasks', startMs: 120, state: 'completed' })
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
})

test('a call that ended because its run was stopped is not a failure', () => {
  const [, stopped, failed] = traceSteps(
    run({ calls: [call({ ok: false, errorCode: 'aborted' }), call({ ok: false, errorCode: 'http_500' })] }),
  )
  expect(stopped).toMatchObject({ state: 'cancelled' })
  expect(failed).toMatchObject({ state: 'failed', error: 'HTTP 500' })
})

test('a call that waited for a person shows the wait, who decided, and when the call began', () => {
  const approval = {
    ...{ approvalId: 'a', memberRunId: null, toolCallId: 'call_0_0', toolName: 'pay', reason: null },
    ...{ askedMs: START * 1_000 + 200, resolvedMs: START * 1_000 + 50_200 },
    by: { type: 'user' as const, id: 'u', name: 'Olga' },
  }
  const tool = {
    toolCallId: 'call_0_0',
    name: 'pay',
    arguments: {},
    status: 'ok' as const,
    result: 'paid',
    ms: 300,
  }
  const message = {
    ...{
      runId: 'r',
      role: 'assistant' as const,
      content: null,
      toolCallId: null,
      toolName: null,
      isError: null,
    },
    ...{ agentId: null, agentName: 'Ada', createdAt: START, toolCalls: [tool] },
  }
  const shown = (status: 'approved' | 'denied') =>
    traceSteps(
      run({
        calls: [call({ latencyMs: 100 }), call({ latencyMs: 100 })],
        messages: [message as never],
        approvals: [{ ...approval, status }],
        toolStarts: [{ runId: 'r', toolCallId: 'call_0_0', startedMs: START * 1_000 + 50_200 }],
      }),
    ).filter(({ kind }) => kind === 'wait' || kind === 'tool')
  expect(shown('approved')).toMatchObject([
    {
      ...{ kind: 'wait', title: 'Approval of pay', detail: 'Approved by Olga', state: 'completed' },
      ...{ startMs: 200, durationMs: 50_000, isEstimated: false },
    },
    { kind: 'tool', startMs: 50_200, durationMs: 300, isEstimated: false },
  ])
  expect(shown('denied')[0]).toMatchObject({ detail: 'Rejected by Olga', state: 'failed' })
})

test('calls of one answer that ran one after the other begin where the run has stored it', () => {
  const nothing = { arguments: {}, status: 'ok' as const, result: '1' }
  const toolCalls = [
    { toolCallId: 'call_0_0', name: 'first', ms: 100, ...nothing },
    { toolCallId: 'call_0_1', name: 'second', ms: 50, ...nothing },
  ]
  const message = {
    ...{ id: 'm', runId: 'r', role: 'assistant' as const, content: null, toolCallId: null, toolName: null },
    ...{ isError: null, agentId: null, agentName: 'Ada', createdAt: START, toolCalls },
  }
  const starts = (isStored: boolean) =>
    traceSteps(
      run({
        calls: [call({ latencyMs: 100 }), call({ latencyMs: 100 })],
        messages: [message as never],
        toolStarts: [
          { runId: 'r', toolCallId: 'call_0_0', startedMs: START * 1_000 + 110, isStored },
          { runId: 'r', toolCallId: 'call_0_1', startedMs: START * 1_000 + 700, isStored },
        ],
      }),
    ).flatMap(({ kind, startMs, isEstimated }) => (kind === 'tool' ? [[startMs, isEstimated]] : []))
  expect(starts(true)).toEqual([
    [110, false],
    [700, false],
  ])
  expect(starts(false)[1]).toEqual([expect.any(Number), true])
})

test('a call that waits now is the last step of a run in flight', () => {
  const waiting = {
    ...{ approvalId: 'a', memberRunId: null, toolCallId: 'call_0_0', toolName: 'pay', reason: null },
    ...{ askedMs: START * 1_000 + 200, resolvedMs: null, by: null, status: 'pending' as const },
  }
  expect(traceSteps(run({ approvals: [waiting] })).at(-1)).toMatchObject({
    ...{ kind: 'wait', state: 'waiting', durationMs: null, detail: 'Waiting for a person' },
  })
})

test('no step has a negative duration, despite clock differences', () => {
  const early = { ...member('m', 'member:m1:0', START * 1_000), completedMs: START * 1_000 - 1 }
  const step = traceSteps(run({ members: [early] })).find(({ kind }) => kind === 'member')
  expect(step?.durationMs).toBe(0)
})
