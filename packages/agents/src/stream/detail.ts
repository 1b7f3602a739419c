import type { StreamDetail, StreamEvent, StreamEventName } from '@troupe/contract'

const FULL_ONLY: readonly StreamEventName[] = [
  'ModelRequestStarted',
  'ModelRequestCompleted',
  'ReasoningDelta',
]
const ANSWER: readonly StreamEventName[] = [
  'RunStarted',
  'RunContent',
  'RunContentReset',
  'ToolApprovalRequired',
  'ToolApprovalResolved',
  'RunCompleted',
  'RunError',
  'RunCancelled',
]

/** Whether a stream of this detail shows the event. Lifecycle events and the answer are always shown. */
export function isShown(event: StreamEvent, detail: StreamDetail): boolean {
  switch (detail) {
    case 'full':
      return true
    case 'standard':
      return !FULL_ONLY.includes(event.event)
    case 'answer':
      return event.event === 'RunContent' ? event.channel === 'answer' : ANSWER.includes(event.event)
    default:
      return detail satisfies never
  }
}
