import type { StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import { afterEvent, NO_LIVE_RUN } from './live-run.ts'
import { answerOf } from './run-view.ts'

const source = { role: 'lead', agentId: null, agentName: 'Lead', runId: 'r' } as const
const shared = { runId: 'r', createdAt: 1, source }
const content = (seq: number, delta: string, channel: 'answer' | 'trace' = 'answer'): StreamEvent => ({
  ...{ ...shared, event: 'RunContent', seq, messageId: 'm', channel, delta },
})
const after = (events: readonly StreamEvent[]) => events.reduce(afterEvent, NO_LIVE_RUN)

test('the answer grows, and a reset withdraws only the text that it names', () => {
  const reset: StreamEvent = {
    ...shared,
    event: 'RunContentReset',
    seq: 4,
    messageId: 'm',
    reason: 'failover',
  }
  const hidden = { ...content(3, 'hidden', 'trace'), messageId: 'trace' }
  const kept = { ...content(1, 'Kept. '), messageId: 'first' }
  const right = { ...content(5, 'Right'), messageId: 'second' }
  const withdrawn = [kept, content(2, 'Wrong'), hidden, reset, right]
  expect(answerOf(after(withdrawn).run)).toBe('Kept. Right')
  const resetOfTrace = { ...reset, messageId: 'trace' }
  expect(answerOf(after([content(1, 'Whole'), { ...hidden, seq: 2 }, resetOfTrace]).run)).toBe('Whole')
})

test('a withdrawn caller text of a handoff’s member is hidden', () => {
  const member = { role: 'member', agentId: 'a', agentName: 'Member', runId: 'of-member' } as const
  const wrong = { ...content(1, 'Wrong'), source: member }
  const reset: StreamEvent = {
    ...{ ...shared, event: 'RunContentReset', seq: 2, messageId: 'm', reason: 'guardrail', source: member },
  }
  expect(answerOf(after([wrong]).run)).toBe('Wrong')
  expect(answerOf(after([wrong, reset]).run)).toBe('')
})

test('a started step runs until it has ended', () => {
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
