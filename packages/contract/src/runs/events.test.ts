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
const FIELDS: Record<StreamEventName, Record<string, unknown>> = {
  RunStarted: { kind: 'agent', agentId: UUID, agentName: 'Writer', sessionId: 's', userId: 'u' },
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

test.for(names)('%s says where it comes from, unless it is about the whole run', (name) => {
  const lifecycle = ['RunStarted', ...TERMINAL_EVENTS].includes(name)
  expect('source' in STREAM_EVENTS[name].properties).toBe(!lifecycle)
})

test('numbers of events begin at 1', () => {
  expect(check({ ...eventOf('RunStarted'), seq: 0 }).ok).toBe(false)
})

test('a run ends by its result, an error or a cancel', () => {
  expect(TERMINAL_EVENTS).toEqual(['RunCompleted', 'RunError', 'RunCancelled'])
})
