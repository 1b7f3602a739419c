import type { StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import { afterEvent, NO_LIVE_RUN } from './live-run.ts'

const source = { role: 'lead', agentId: null, agentName: 'Lead', runId: 'r' } as const
const shared = { runId: 'r', createdAt: 1, source }
const content = (seq: number, delta: string, channel: 'answer' | 'trace' = 'answer'): StreamEvent => ({
  ...{ ...shared, event: 'RunContent', seq, messageId: 'm', channel, delta },
})
const after = (events: readonly StreamEvent[]) => events.reduce(afterEvent, NO_LIVE_RUN)

test('the answer grows, is withdrawn by a reset, and the texts of members are not part of it', () => {
  const reset: StreamEvent = {
    ...shared,
    event: 'RunContentReset',
    seq: 3,
    messageId: 'm',
    reason: 'failover',
  }
  const events = [content(1, 'Wro'), content(2, 'hidden', 'trace'), reset, content(4, 'Right')]
  expect(after(events).answer).toBe('Right')
})

test('what has begun runs until it has ended', () => {
  const tool = { toolCallId: 't', toolName: 'calculator' }
  const started: StreamEvent = { ...shared, ...tool, event: 'ToolCallStarted', seq: 1, args: {} }
  const failed: StreamEvent = {
    ...{ ...shared, ...tool, event: 'ToolCallError', seq: 2, error: { code: 'x', message: 'y' } },
  }
  expect(after([started]).activities).toMatchObject([{ title: 'Lead calls calculator', state: 'running' }])
  expect(after([started, failed]).activities).toMatchObject([{ state: 'failed' }])
  // A stream that is read again from its beginning repeats nothing.
  expect(after([started, started]).activities).toHaveLength(1)
})

test('a run that ended is over', () => {
  const ended: StreamEvent = { event: 'RunError', runId: 'r', createdAt: 1, seq: 9, error: 'x', message: 'y' }
  expect(after([ended]).isEnded).toBe(true)
})
