import { expect, test } from 'vitest'
import { validator } from '../validation/validator.ts'
import { STREAM_EVENTS, StreamEvent, type StreamEventName, TERMINAL_EVENTS } from './events.ts'

const UUID = '3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e'
const source = { role: 'agent', agentId: UUID, agentName: 'Writer', runId: UUID }
const model = { llmConfigId: UUID, modelId: 'gpt-x' }
const result = {
  runId: UUID,
  agentId: UUID,
  agentName: 'Writer',
  content: 'Hello',
  sessionId: 's',
  userId: 'u',
  createdAt: 1,
  success: true,
  metrics: { inputTokens: 1, outputTokens: 1, latencyMs: 1, model: null, failoverUsed: false },
  messages: null,
}
const member = { member: { agentId: UUID, name: 'Writer' }, memberRunId: UUID }
const tool = { toolCallId: 'call_0_0', toolName: 'delegate' }
const approval = { source, approvalId: UUID, ...tool }
const error = { code: 'failed', message: 'It failed.' }
const task = { id: 't1', title: 'Draft', status: 'pending', assigneeAgentId: UUID }
const FIELDS: Record<StreamEventName, Record<string, unknown>> = {
  RunStarted: { kind: 'agent', agentId: UUID, agentName: 'Writer', sessionId: 's', userId: 'u' },
  ToolApprovalRequired: { ...approval, args: {}, expiresAt: 2 },
  ToolApprovalResolved: { ...approval, decision: 'denied', reason: null },
  ToolCallStarted: { source, ...tool, args: {} },
  ToolCallCompleted: { source, ...tool, result: 'r', truncated: false, durationMs: 1 },
  ToolCallError: { source, ...tool, error },
  MemberRunStarted: { source, ...member, task: 'Write.' },
  MemberRunCompleted: { source, ...member, content: 'Hello', inputTokens: 1, outputTokens: 1 },
  MemberRunError: { source, ...member, error },
  PlanCreated: {
    source,
    plan: { goal: 'g', criteria: [{ id: 'c1', text: 'c' }], tasks: [{ ...task, dependsOn: [] }] },
  },
  TaskUpdated: { source, task, previousStatus: null },
  TaskIterationStarted: { source, iteration: 1, maxIterations: 10 },
  TaskIterationCompleted: { source, iteration: 1, maxIterations: 10, verdict: 'continue', reason: 'r' },
  RunContent: { source, messageId: 'm1', channel: 'answer', delta: 'Hel' },
  RunContentReset: { source, messageId: 'm1', reason: 'failover' },
  ModelFailover: { source, purpose: 'chat', from: model, to: model, reason: 'timeout' },
  ModelRequestStarted: { source, purpose: 'chat', step: 0 },
  ModelRequestCompleted: {
    source,
    purpose: 'chat',
    step: 0,
    inputTokens: 1,
    outputTokens: 1,
    durationMs: 5,
    finishReason: 'stop',
  },
  ReasoningDelta: { source, messageId: 'm1', delta: 'Hm' },
  RunCompleted: { result },
  RunError: { error: 'upstream_error', message: 'The model failed.' },
  RunCancelled: { reason: 'user', content: 'Hel' },
}
const names = Object.keys(STREAM_EVENTS) as StreamEventName[]
const check = validator(StreamEvent)
const eventOf = (name: StreamEventName) => ({
  event: name,
  runId: UUID,
  seq: 1,
  createdAt: 1,
  ...FIELDS[name],
})

test.for(names)('%s with its fields is an event', (name) => {
  expect(check(eventOf(name))).toMatchObject({ ok: true })
})

test.for(names)('%s without any one of its fields is none', (name) => {
  const event = eventOf(name)
  for (const field of Object.keys(event)) {
    const { [field as keyof typeof event]: _, ...rest } = event
    expect(check(rest).ok, field).toBe(false)
  }
})

test.for(names)('%s has its source, unless it is about the whole run', (name) => {
  const lifecycle = ['RunStarted', ...TERMINAL_EVENTS].includes(name)
  const schema = STREAM_EVENTS[name]
  for (const form of 'anyOf' in schema ? schema.anyOf : [schema]) {
    expect('source' in form.properties).toBe(!lifecycle)
  }
})

test('numbers of events begin at 1', () => {
  expect(check({ ...eventOf('RunStarted'), seq: 0 }).ok).toBe(false)
})

test('a run ends by its result, an error or a cancel', () => {
  expect(TERMINAL_EVENTS).toEqual(['RunCompleted', 'RunError', 'RunCancelled'])
})

test('a team starts with its mode and may tell its plan', () => {
  const started = {
    kind: 'team',
    teamId: UUID,
    teamName: 'Desk',
    mode: 'handoff',
    sessionId: 's',
    userId: 'u',
  }
  const envelope = { runId: UUID, seq: 1, createdAt: 1 }
  expect(check({ event: 'RunStarted', ...envelope, ...started }).ok).toBe(true)
  const { agentId: _, agentName: __, ...shared } = result
  const plan = {
    goalCompleted: true,
    stopReason: 'goal_completed',
    iterations: 1,
    maxIterations: 10,
    tasks: [],
  }
  const ofTeam = { ...shared, teamId: UUID, teamName: 'Desk', plan }
  expect(check({ event: 'RunCompleted', ...envelope, result: ofTeam }).ok).toBe(true)
})
