import type { StreamEvent } from '@troupe/contract'
import {
  type LaneWork,
  type MemberLane,
  newLane,
  type RunStep,
  type RunView,
  type ShownRunEnd,
} from './run-view.ts'

type EventOf<Name extends StreamEvent['event']> = Extract<StreamEvent, { event: Name }>
/** Events of an agent within the run, which name it. */
type SourcedEvent = Extract<StreamEvent, { source: unknown }>

/**
 * The run after one more event. Invariant: an event that is in the state already, or belongs to another run, changes
 * nothing, so that a stream may be replayed from any place.
 */
export function reduceRun(state: RunView, event: StreamEvent): RunView {
  if (event.seq <= state.lastSeq || (state.runId !== null && event.runId !== state.runId)) return state
  const next = { ...state, runId: event.runId, lastSeq: event.seq }
  switch (event.event) {
    case 'RunStarted':
      return { ...next, ...startOf(event) }
    case 'RunCompleted':
      return ended(next, completedEnd(event))
    case 'RunError':
      return ended(next, { kind: 'failed', code: event.error, message: event.message })
    case 'RunCancelled':
      return ended(next, { kind: 'cancelled', content: event.content })
    case 'PlanCreated':
      return { ...next, plan: event.plan }
    case 'TaskUpdated':
      return withTask(next, event)
    case 'MemberRunStarted':
    case 'MemberRunCompleted':
    case 'MemberRunError':
      return withMember(next, event)
    default:
      return withWork(next, event)
  }
}

function startOf(event: EventOf<'RunStarted'>): Pick<RunView, 'kind' | 'name' | 'mode' | 'sessionId'> {
  const { kind, sessionId } = event
  return kind === 'agent'
    ? { kind, sessionId, name: event.agentName, mode: null }
    : { kind, sessionId, name: event.teamName, mode: event.mode }
}

function completedEnd({ result }: EventOf<'RunCompleted'>): ShownRunEnd {
  const { content, success, metrics, citations = [], flags = [] } = result
  const { failoverUsed, latencyMs } = metrics
  return { kind: 'completed', content, success, citations, flags, failoverUsed, latencyMs }
}

/** Nothing continues after the end: calls stop, and members in progress are cancelled. */
function ended(state: RunView, end: ShownRunEnd): RunView {
  return {
    ...state,
    end,
    own: stopped(state.own),
    lanes: state.lanes.map((lane) => ({
      ...stopped(lane),
      state: lane.state === 'running' ? 'cancelled' : lane.state,
    })),
  }
}

function stopped<Work extends LaneWork>(work: Work): Work {
  const steps = work.steps.map((step) =>
    step.kind === 'tool' && (step.state === 'running' || step.state === 'waiting')
      ? { ...step, state: 'stopped' as const }
      : step,
  )
  return { ...work, purpose: null, steps }
}

function withTask(state: RunView, { task }: EventOf<'TaskUpdated'>): RunView {
  const plan = state.plan ?? { goal: '', criteria: [], tasks: [] }
  const isKnown = plan.tasks.some(({ id }) => id === task.id)
  const tasks = isKnown
    ? plan.tasks.map((one) => (one.id === task.id ? { ...one, ...task } : one))
    : [...plan.tasks, { ...task, dependsOn: [] }]
  return { ...state, plan: { ...plan, tasks } }
}

type MemberEvent = EventOf<'MemberRunStarted' | 'MemberRunCompleted' | 'MemberRunError'>

function withMember(state: RunView, event: MemberEvent): RunView {
  const { memberRunId, member } = event
  const known = state.lanes.find((lane) => lane.memberRunId === memberRunId)
  const lane = known ?? newLane(memberRunId, member.agentId, member.name)
  const lanes = replaced(state.lanes, memberLane(lane, event))
  const { steps } = state.own
  if (steps.some(({ kind, key }) => kind === 'member' && key === memberRunId)) return { ...state, lanes }
  const step: RunStep = { kind: 'member', key: memberRunId }
  return { ...state, lanes, own: { ...state.own, steps: [...steps, step] } }
}

function memberLane(lane: MemberLane, event: MemberEvent): MemberLane {
  switch (event.event) {
    case 'MemberRunStarted':
      return { ...lane, task: event.task, state: 'running' }
    case 'MemberRunCompleted': {
      const { content, inputTokens, outputTokens } = event
      return { ...stopped(lane), state: 'completed', content, inputTokens, outputTokens }
    }
    case 'MemberRunError':
      return { ...stopped(lane), state: 'failed', error: event.error.message }
    default:
      return event satisfies never
  }
}

function replaced(lanes: readonly MemberLane[], lane: MemberLane): MemberLane[] {
  const isKnown = lanes.some(({ memberRunId }) => memberRunId === lane.memberRunId)
  return isKnown ? lanes.map((one) => (one.memberRunId === lane.memberRunId ? lane : one)) : [...lanes, lane]
}

/** An event of the agent or the lead itself goes to the run, one of a member to its lane. */
function withWork(state: RunView, event: WorkEvent): RunView {
  const { role, runId, agentId, agentName } = event.source
  if (role !== 'member' || runId === state.runId) return { ...state, own: workAfter(state.own, event) }
  const lane =
    state.lanes.find(({ memberRunId }) => memberRunId === runId) ?? newLane(runId, agentId, agentName)
  return { ...state, lanes: replaced(state.lanes, workAfter(lane, event)) }
}

type WorkEvent = Exclude<SourcedEvent, MemberEvent | EventOf<'PlanCreated' | 'TaskUpdated'>>

function workAfter<Work extends LaneWork>(work: Work, event: WorkEvent): Work {
  switch (event.event) {
    case 'ModelRequestStarted':
      return {
        ...work,
        purpose: event.purpose,
        asked: withOne(work.asked, event.purpose),
        // A repeated call has no answer yet.
        answered: work.answered.filter((purpose) => purpose !== event.purpose),
      }
    case 'ModelRequestCompleted':
      return {
        ...work,
        purpose: null,
        inputTokens: work.inputTokens + event.inputTokens,
        outputTokens: work.outputTokens + event.outputTokens,
        modelCalls: work.modelCalls + 1,
        answered: withOne(work.answered, event.purpose),
      }
    default:
      return { ...work, steps: stepsAfter(work.steps, event) }
  }
}

function withOne(list: readonly string[], item: string): readonly string[] {
  return list.includes(item) ? list : [...list, item]
}

type StepEvent = Exclude<WorkEvent, EventOf<'ModelRequestStarted' | 'ModelRequestCompleted'>>

function stepsAfter(steps: readonly RunStep[], event: StepEvent): readonly RunStep[] {
  switch (event.event) {
    case 'RunContent':
      return withText(steps, event)
    case 'RunContentReset':
      return steps.map((step) =>
        step.kind === 'text' && step.key === event.messageId ? { ...step, withdrawn: event.reason } : step,
      )
    case 'ReasoningDelta':
      return withReasoning(steps, event)
    case 'ModelFailover': {
      const { purpose, from, to, reason } = event
      return [...steps, { kind: 'failover', key: `failover-${event.seq}`, purpose, from, to, reason }]
    }
    case 'TaskIterationStarted': {
      const { iteration, maxIterations } = event
      const open = { verdict: null, reason: null }
      return [
        ...steps,
        { kind: 'round', key: `round-${iteration}`, round: iteration, most: maxIterations, ...open },
      ]
    }
    case 'TaskIterationCompleted': {
      const { verdict, reason, iteration } = event
      return steps.map((step) =>
        step.kind === 'round' && step.round === iteration ? { ...step, verdict, reason } : step,
      )
    }
    default:
      return withCall(steps, event)
  }
}

function withText(
  steps: readonly RunStep[],
  { messageId, channel, delta, seq, source }: EventOf<'RunContent'>,
): readonly RunStep[] {
  const index = steps.findLastIndex((step) => step.kind === 'text' && step.key === messageId)
  const found = steps[index]
  if (found?.kind !== 'text') {
    const author = source.agentName
    return [...steps, { kind: 'text', key: messageId, seq, author, channel, text: delta, withdrawn: null }]
  }
  return steps.with(index, { ...found, text: found.text + delta })
}

function withReasoning(
  steps: readonly RunStep[],
  { messageId, delta }: EventOf<'ReasoningDelta'>,
): readonly RunStep[] {
  const key = `reasoning-${messageId}`
  const index = steps.findLastIndex((step) => step.key === key)
  const found = steps[index]
  if (found?.kind !== 'reasoning') return [...steps, { kind: 'reasoning', key, text: delta }]
  return steps.with(index, { ...found, text: found.text + delta })
}

type CallEvent = Extract<StepEvent, { toolCallId: string }>

function withCall(steps: readonly RunStep[], event: CallEvent): readonly RunStep[] {
  const key = `tool-${event.toolCallId}`
  const index = steps.findLastIndex((step) => step.key === key)
  const found = steps[index]
  const former = found?.kind === 'tool' ? found : newCall(key, event.toolName)
  const next = callAfter(former, event)
  return found === former ? steps.with(index, next) : [...steps, next]
}

type ToolCall = Extract<RunStep, { kind: 'tool' }>

function newCall(key: string, toolName: string): ToolCall {
  const nothing = { result: null, isCut: false, durationMs: null, error: null, approval: null }
  return { kind: 'tool', key, toolName, args: {}, state: 'running', ...nothing }
}

function callAfter(call: ToolCall, event: CallEvent): ToolCall {
  switch (event.event) {
    case 'ToolCallStarted':
      return { ...call, args: event.args, state: 'running' }
    case 'ToolCallCompleted': {
      const { result, truncated, durationMs } = event
      return { ...call, state: 'done', result, isCut: truncated, durationMs }
    }
    case 'ToolCallError': {
      const isRefused = call.approval !== null && call.approval.decision !== 'approved'
      return { ...call, state: isRefused ? 'stopped' : 'failed', error: event.error.message }
    }
    case 'ToolApprovalRequired': {
      const { args, approvalId, expiresAt } = event
      const approval = { approvalId, expiresAt, decision: null, reason: null }
      return { ...call, args, state: 'waiting', approval }
    }
    case 'ToolApprovalResolved': {
      const { decision, reason, approvalId } = event
      const asked = call.approval ?? { approvalId, expiresAt: event.createdAt }
      const state = decision === 'approved' ? 'running' : 'stopped'
      return { ...call, state, approval: { ...asked, decision, reason } }
    }
    default:
      return event satisfies never
  }
}
