import type { AgentRunResult, StreamEvent } from '@troupe/contract'

export const AGENT_ID = '11111111-1111-4111-8111-111111111111'
export const RUN_ID = '22222222-2222-4222-8222-222222222222'

const source = { role: 'agent', agentId: AGENT_ID, agentName: 'Writer', runId: RUN_ID } as const

export const RESULT: AgentRunResult = {
  runId: RUN_ID,
  agentId: AGENT_ID,
  agentName: 'Writer',
  content: 'Hello',
  sessionId: 's',
  userId: 'u',
  createdAt: 1,
  success: true,
  metrics: { inputTokens: 1, outputTokens: 1, latencyMs: 1, model: null, failoverUsed: false },
  messages: null,
}

/** An event without the fields that depend on its position in the run. */
export type Body = StreamEvent extends infer E
  ? E extends StreamEvent
    ? Omit<E, 'runId' | 'seq' | 'createdAt'>
    : never
  : never

export const started: Body = {
  event: 'RunStarted',
  kind: 'agent',
  agentId: AGENT_ID,
  agentName: 'Writer',
  sessionId: 's',
  userId: 'u',
}
export const completed: Body = { event: 'RunCompleted', result: RESULT }
export const delta = (text: string, messageId = 'm1', channel: 'answer' | 'trace' = 'answer'): Body => ({
  event: 'RunContent',
  source,
  messageId,
  channel,
  delta: text,
})
export const reset = (messageId: string): Body => ({
  event: 'RunContentReset',
  source,
  messageId,
  reason: 'tool_calls',
})

/** Numbers the events from 1. */
export function runOf(...bodies: Body[]): StreamEvent[] {
  return bodies.map(
    (body, index) => ({ ...body, runId: RUN_ID, seq: index + 1, createdAt: 1 }) as StreamEvent,
  )
}

/** One event on the wire. */
export function frame(event: StreamEvent, newline = '\n'): string {
  const lines = [`id: ${event.seq}`, `event: ${event.event}`, `data: ${JSON.stringify(event)}`, '', '']
  return lines.join(newline)
}
