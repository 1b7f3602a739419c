import type { IdText, RunId } from '@troupe/contract'
import type { AgentRunDetail, RunDetail } from '@troupe/contract/builder'
import { traceWords as words } from '../messages/en/operate/trace.ts'
import { callFailureText } from './call-failure-text.ts'
import { memberStep, memberStepText } from './member-step.ts'
import { withPlanRounds } from './plan-rounds.ts'
import { beginningOf } from './run-beginning.ts'
import { shownStatus, stateOfRun } from './run-state.ts'
import { STOPPED_CALL } from './tokens-text.ts'
import type { TraceStep } from './trace-step.ts'

type ModelCall = AgentRunDetail['calls'][number]
type MemberRun = AgentRunDetail['members'][number]
type Message = AgentRunDetail['messages'][number]
type ToolCall = NonNullable<Message['toolCalls']>[number]
type Approval = NonNullable<AgentRunDetail['approvals']>[number]

/** The minimum number of members started by a call, independent of clocks; a route starts exactly one. */
const STARTS: Readonly<Record<string, number>> = { route: 1, broadcast: Number.POSITIVE_INFINITY, plan: 1 }
/** A member that starts this soon after a call was started by it. */
const SLACK_MS = 1_500
const OF_PLANS: ReadonlySet<string> = new Set(['plan', 'review'])

/** The steps of a run in their order: the run, its members, and below each the model calls and tools. */
export function traceSteps(run: RunDetail): TraceStep[] {
  const { agentRun } = run
  if (!agentRun) return []
  const context = { agentRun, zero: beginningOf(run, agentRun.members) }
  const steps = ownSteps(
    context,
    { memberRunId: null, from: 0, durationMs: run.durationMs, depth: 1 },
    agentRun.members,
  )
  const hasPlan = agentRun.calls.some(
    ({ purpose, memberRunId }) => purpose === 'plan' && memberRunId === null,
  )
  const planned = hasPlan ? withPlanRounds(steps, run.runId, 1) : steps
  return [rootStep(run), ...planned, ...waitingSteps(context)]
}

interface TraceContext {
  agentRun: AgentRunDetail
  /** Unix milliseconds of the beginning. */
  zero: number
}

function rootStep(run: RunDetail): TraceStep {
  const { entity, kind, durationMs, error, runId } = run
  return {
    ...{ id: runId, kind: 'run', depth: 0, state: stateOfRun(shownStatus(run)) },
    title: entity.name ?? words.deleted,
    detail: words.kinds[kind],
    why: words.why.root,
    ...{ startMs: 0, durationMs, isEstimated: false, error: error?.message ?? null },
    ...{ call: null, tool: null, member: null },
  }
}

interface Owner {
  /** null: the run itself. */
  memberRunId: IdText<RunId> | null
  /** When it began, after the beginning of the run. */
  from: number
  /** null: it has not ended. */
  durationMs: number | null
  depth: number
}

/**
 * Model calls and tools of the run or of one member, in order, with the members that they started in between. Each begins at the
 * end of the previous one; tools of one answer begin together if their times allow it.
 */
function ownSteps(
  { agentRun, zero }: TraceContext,
  { memberRunId, from, durationMs, depth }: Owner,
  members: readonly MemberRun[],
): TraceStep[] {
  const calls = agentRun.calls.filter((call) => call.memberRunId === memberRunId)
  const tools = toolsOf(agentRun, memberRunId)
  const areTogether = startTogether(calls, tools, durationMs)
  const waiting = members.toSorted((a, b) => a.startedMs - b.startedMs)
  const steps: TraceStep[] = []
  let cursor = from
  let asked = 0
  const startMembers = (index: number) => {
    const purpose = calls[index]?.purpose ?? ''
    const following = calls[index + 1]
    const isNextRound = following?.purpose === 'review' && isFirstTry(following)
    const least = purpose === 'review' && isNextRound ? 1 : (STARTS[purpose] ?? 0)
    const slackMs = OF_PLANS.has(purpose) ? reviewMs(calls, index + 1) : SLACK_MS
    for (let started = 0; waiting.length > 0; started += 1) {
      const isDue = (waiting[0]?.startedMs ?? 0) - zero < cursor + slackMs
      if (started >= least && (purpose === 'route' || !isDue)) return
      const member = waiting.shift()
      if (!member) return
      steps.push(...memberSteps({ agentRun, zero }, member, depth))
      cursor = Math.max(cursor, (member.completedMs ?? member.startedMs) - zero)
    }
  }
  for (const [index, call] of calls.entries()) {
    const id = `${memberRunId ?? 'run'}/call-${index}`
    steps.push(callStep(call, calls[index - 1] ?? null, { id, depth, startMs: cursor }))
    cursor += call.latencyMs
    if (!call.ok) continue
    if (call.purpose === 'chat') {
      let end = cursor
      for (const [place, tool] of (tools[asked] ?? []).entries()) {
        const known = startOf(agentRun, memberRunId, tool)
        const approval = approvalOf(agentRun, memberRunId, tool)
        if (approval) {
          const step = waitStep(approval, {
            id: `${id}/wait-${place}`,
            depth,
            startMs: approval.askedMs - zero,
          })
          steps.push(step)
          end = Math.max(end, (step.startMs ?? 0) + (step.durationMs ?? 0))
        }
        // In older runs, several calls of one answer that run one after the other have the same known start.
        const isKnown = known !== null && (known.isStored || areTogether || place === 0 || approval !== null)
        const startMs = isKnown ? Math.max(0, known.ms - zero) : areTogether ? cursor : end
        steps.push({
          ...toolStep(tool, { id: `${id}/tool-${place}`, depth, startMs }),
          isEstimated: !isKnown,
        })
        end = Math.max(end, startMs + ownMs(tool))
      }
      cursor = end
      asked += 1
    }
    startMembers(index)
  }
  for (const member of waiting) steps.push(...memberSteps({ agentRun, zero }, member, depth))
  return steps
}

/**
 * Whether the tools of an answer ran in parallel, as is the default: a sequence of calls and tools would deviate more from the
 * total duration.
 */
function startTogether(
  calls: readonly ModelCall[],
  tools: readonly (readonly ToolCall[])[],
  durationMs: number | null,
): boolean {
  if (durationMs === null) return true
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
  const callsMs = sum(calls.map(({ latencyMs }) => latencyMs))
  const inTurn = callsMs + sum(tools.map((asked) => sum(asked.map(ownMs))))
  const together = callsMs + sum(tools.map((asked) => Math.max(0, ...asked.map(ownMs))))
  return Math.abs(durationMs - together) <= Math.abs(durationMs - inTurn)
}

/** The duration of the review after a round, with its retries: no task of the next round starts earlier after the last one. */
function reviewMs(calls: readonly ModelCall[], from: number): number {
  let sum = 0
  for (let index = from; index < calls.length; index += 1) {
    const call = calls[index]
    if (call?.purpose !== 'review' || (index > from && isFirstTry(call))) break
    sum += call.latencyMs
  }
  return sum === 0 ? Number.POSITIVE_INFINITY : sum
}

const isFirstTry = ({ attempt, isFallback }: ModelCall) => attempt === 1 && !isFallback

/** The tools of each answer of a model, in order. */
function toolsOf({ messages, members }: AgentRunDetail, memberRunId: IdText<RunId> | null): ToolCall[][] {
  const ofMembers = new Set(members.map(({ runId }) => runId))
  return messages
    .filter(({ role, runId }) => {
      const isOwn = memberRunId === null ? !ofMembers.has(runId) : runId === memberRunId
      return role === 'assistant' && isOwn
    })
    .map(({ toolCalls }) => toolCalls ?? [])
}

/** The time of a tool that starts a member is the member's own. */
const ownMs = ({ name, ms }: ToolCall) => (name === 'delegate' ? 0 : (ms ?? 0))

/** Whether a tool call, or an event about it, belongs to this member, or to the run itself (null). */
const isOf = (memberRunId: IdText<RunId> | null, members: AgentRunDetail['members'], runId: IdText<RunId>) =>
  memberRunId === null ? !members.some((member) => member.runId === runId) : runId === memberRunId

/** When a call began, in Unix milliseconds, and whether the run has stored it; null: not known. */
function startOf(
  { toolStarts = [], members }: AgentRunDetail,
  memberRunId: IdText<RunId> | null,
  { toolCallId }: ToolCall,
): { ms: number; isStored: boolean } | null {
  const found = toolStarts.find(
    (one) => one.toolCallId === toolCallId && isOf(memberRunId, members, one.runId),
  )
  return found ? { ms: found.startedMs, isStored: found.isStored ?? false } : null
}

function approvalOf(
  { approvals = [] }: AgentRunDetail,
  memberRunId: IdText<RunId> | null,
  { toolCallId }: ToolCall,
): Approval | null {
  return approvals.find((one) => one.toolCallId === toolCallId && one.memberRunId === memberRunId) ?? null
}

/** The time for which a call waited for an approval, and the decision. */
function waitStep(approval: Approval, place: StepPlace): TraceStep {
  const { status, by, reason, askedMs, resolvedMs, toolName } = approval
  const state = ({ pending: 'waiting', approved: 'completed', denied: 'failed', expired: 'failed' } as const)[
    status
  ]
  return {
    ...place,
    kind: 'wait',
    title: words.waited(toolName),
    detail: by === null ? words.decisions[status] : words.decidedBy(words.decisions[status], by.name),
    state,
    why: words.why.wait,
    ...{ durationMs: resolvedMs === null ? null : Math.max(0, resolvedMs - askedMs), isEstimated: false },
    error: state === 'failed' ? (reason ?? words.decisions[status]) : null,
    ...{ call: null, tool: null, member: null, approval },
  }
}

/** The waiting calls: the messages that made them are stored when the run has ended. */
function waitingSteps({ agentRun, zero }: TraceContext): TraceStep[] {
  const { approvals = [], members } = agentRun
  const owners = [null, ...members.map(({ runId }) => runId)]
  const told = new Set(
    owners.flatMap((owner) =>
      toolsOf(agentRun, owner)
        .flat()
        .map(({ toolCallId }) => `${owner} ${toolCallId}`),
    ),
  )
  return approvals
    .filter(({ memberRunId, toolCallId }) => !told.has(`${memberRunId} ${toolCallId}`))
    .map((approval) =>
      waitStep(approval, {
        id: approval.approvalId,
        depth: 1,
        startMs: Math.max(0, approval.askedMs - zero),
      }),
    )
}

interface StepPlace {
  id: string
  depth: number
  startMs: number
}

function callStep(call: ModelCall, before: ModelCall | null, place: StepPlace): TraceStep {
  const { purpose, modelId, ok, errorCode, providerMessage, latencyMs } = call
  return {
    ...place,
    kind: 'model',
    title: words.purposes[purpose] ?? purpose,
    detail: modelId,
    state: ok ? 'completed' : errorCode === STOPPED_CALL ? 'cancelled' : 'failed',
    why: whyCall(call, before),
    ...{
      durationMs: latencyMs,
      isEstimated: true,
      error: ok ? null : failureText(errorCode ?? words.failed, providerMessage),
    },
    ...{ call, tool: null, member: null },
  }
}

/** The reason of a failed call, and the provider's message. */
function failureText(code: string, providerMessage: string | null): string {
  const reason = callFailureText(code)
  return providerMessage === null ? reason : words.providerSaid(reason, providerMessage)
}

function whyCall({ purpose, attempt, isFallback }: ModelCall, before: ModelCall | null): string {
  const reason = before && !before.ok ? callFailureText(before.errorCode ?? words.failed) : null
  if (reason !== null && before?.purpose === purpose) {
    return isFallback ? words.why.fallback(before.modelId, reason) : words.why.again(attempt, reason)
  }
  return words.why.purposes[purpose] ?? words.why.model
}

function toolStep(tool: ToolCall, place: StepPlace): TraceStep {
  const { name, status, ms } = tool
  return {
    ...place,
    kind: 'tool',
    title: name,
    detail: words.tool,
    state: status === 'ok' ? 'completed' : 'failed',
    why: words.why.tools[status],
    ...{ durationMs: ms, isEstimated: true, error: status === 'ok' ? null : (tool.result ?? null) },
    ...{ call: null, tool, member: null },
  }
}

function memberSteps(context: TraceContext, member: MemberRun, depth: number): TraceStep[] {
  const { runId, agentName, status, stepKey, startedMs, completedMs, error, errorCode } = member
  const startMs = Math.max(0, startedMs - context.zero)
  const durationMs = completedMs === null ? null : Math.max(0, completedMs - startedMs)
  return [
    {
      ...{ id: runId, kind: 'member', depth, state: stateOfRun(status) },
      title: agentName ?? words.deleted,
      detail: memberStepText(stepKey),
      why: whyMember(context.agentRun, member),
      startMs,
      durationMs,
      isEstimated: false,
      error: error ?? errorCode,
      ...{ call: null, tool: null, member },
    },
    ...ownSteps(context, { memberRunId: runId, from: startMs, durationMs, depth: depth + 1 }, []),
  ]
}

/** The reason why a member ran, from its step in the run of the team. */
function whyMember({ calls, members, plan }: AgentRunDetail, { stepKey }: MemberRun): string {
  const purposes = new Set(
    calls.filter(({ memberRunId }) => memberRunId === null).map(({ purpose }) => purpose),
  )
  const step = memberStep(stepKey)
  switch (step.kind) {
    case 'member':
      if (step.round > 1) return words.why.rerouted(step.label, step.round)
      if (purposes.has('broadcast')) return words.why.broadcast
      if (purposes.has('route')) return words.why.chosen(step.label)
      return members.length > 1 ? words.why.everybody : words.why.only
    case 'task': {
      const title = plan?.tasks.find(({ id }) => id === step.task)?.title || step.task
      return step.attempt > 1 ? words.why.taskAgain(title, step.attempt) : words.why.task(title)
    }
    case 'delegated':
      return words.why.delegated(step.label)
    case 'tool':
      return words.why.agentTool
    case 'other':
      return words.why.member
  }
}
