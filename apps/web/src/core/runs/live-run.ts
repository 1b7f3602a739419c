import type { StreamEvent } from '@troupe/contract'
import { liveWords as words } from '../messages/en/operate/live.ts'

/** Something that happens in a run, or has just happened. */
export interface LiveActivity {
  id: string
  title: string
  state: 'running' | 'completed' | 'failed' | 'waiting'
}

/** A run as its stream tells it. */
export interface LiveRunState {
  /** The answer so far. */
  answer: string
  activities: readonly LiveActivity[]
  isEnded: boolean
}

export const NO_LIVE_RUN: LiveRunState = { answer: '', activities: [], isEnded: false }
/** The newest ones; a run of hours must not grow the page. */
const MOST = 200

/** The state after an event. Events that say nothing new to a reader leave it as it is. */
export function afterEvent(state: LiveRunState, event: StreamEvent): LiveRunState {
  switch (event.event) {
    case 'RunContent':
      return event.channel === 'answer' ? { ...state, answer: state.answer + event.delta } : state
    case 'RunContentReset':
      // A member's text is withdrawn in the trace; only the answer is shown here.
      return event.source.role === 'member' ? state : { ...state, answer: '' }
    case 'ModelRequestStarted':
      return begun(state, callId(event), words.model(event.source.agentName, event.purpose))
    case 'ModelRequestCompleted':
      return ended(state, callId(event), 'completed')
    case 'ToolCallStarted':
      return begun(state, event.toolCallId, words.tool(event.source.agentName, event.toolName))
    case 'ToolCallCompleted':
      return ended(state, event.toolCallId, 'completed')
    case 'ToolCallError':
      return ended(state, event.toolCallId, 'failed')
    case 'ToolApprovalRequired':
      return begun(state, event.approvalId, words.approval(event.toolName), 'waiting')
    case 'ToolApprovalResolved':
      return ended(state, event.approvalId, event.decision === 'approved' ? 'completed' : 'failed')
    case 'MemberRunStarted':
      return begun(state, event.memberRunId, words.member(event.member.name, event.task))
    case 'MemberRunCompleted':
      return ended(state, event.memberRunId, 'completed')
    case 'MemberRunError':
      return ended(state, event.memberRunId, 'failed')
    case 'ModelFailover':
      return begun(state, `${event.seq}`, words.failover(event.from.modelId, event.to.modelId), 'failed')
    case 'RunCompleted':
    case 'RunError':
    case 'RunCancelled':
      return { ...state, isEnded: true }
    default:
      return state
  }
}

const callId = (event: { source: { runId: string }; purpose: string; step: number }) =>
  `${event.source.runId}/${event.purpose}/${event.step}`

function begun(
  state: LiveRunState,
  id: string,
  title: string,
  phase: LiveActivity['state'] = 'running',
): LiveRunState {
  const others = state.activities.filter((activity) => activity.id !== id)
  return { ...state, activities: [...others, { id, title, state: phase }].slice(-MOST) }
}

function ended(state: LiveRunState, id: string, phase: LiveActivity['state']): LiveRunState {
  const activities = state.activities.map((one) => (one.id === id ? { ...one, state: phase } : one))
  return { ...state, activities }
}
