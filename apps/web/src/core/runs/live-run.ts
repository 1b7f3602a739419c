import type { AnyRunId, IdText, StreamEvent } from '@troupe/contract'
import { liveWords as words } from '../messages/en/operate/live.ts'
import { reduceRun } from './reduce-run.ts'
import { NEW_RUN, type RunView } from './run-view.ts'

/** A current or recent activity of a run. */
export interface LiveActivity {
  id: string
  title: string
  state: 'running' | 'completed' | 'failed' | 'waiting'
}

/** A run, built from its stream. */
export interface LiveRunState {
  /** As the Playground reads it: the texts of its answer come from here. */
  run: RunView
  activities: readonly LiveActivity[]
}

export const NO_LIVE_RUN: LiveRunState = { run: NEW_RUN, activities: [] }
/** The newest ones; a run of hours must not grow the page. */
const MOST = 200

/** The state after an event; one that is in the state already changes nothing. */
export function afterEvent({ run, activities }: LiveRunState, event: StreamEvent): LiveRunState {
  const next = reduceRun(run, event)
  return { run: next, activities: next === run ? activities : activitiesAfter(activities, event) }
}

type Activities = readonly LiveActivity[]

function activitiesAfter(state: Activities, event: StreamEvent): Activities {
  switch (event.event) {
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
    default:
      return state
  }
}

const callId = (event: { source: { runId: IdText<AnyRunId> }; purpose: string; step: number }) =>
  `${event.source.runId}/${event.purpose}/${event.step}`

function begun(
  state: Activities,
  id: string,
  title: string,
  phase: LiveActivity['state'] = 'running',
): Activities {
  const others = state.filter((activity) => activity.id !== id)
  return [...others, { id, title, state: phase }].slice(-MOST)
}

function ended(state: Activities, id: string, phase: LiveActivity['state']): Activities {
  return state.map((one) => (one.id === id ? { ...one, state: phase } : one))
}
