import {
  AgentId,
  type AgentRunResult,
  type Citation,
  checkedId,
  type GuardrailFlag,
  type RunId,
  type RunMessage,
  type RunPlan,
  TeamId,
  type TeamRunResult,
} from '@troupe/contract'
import type { NewRunMessage, RunnableKind, RunRecord } from '../ports/run-store.ts'

/** A message with its run: the root's or a member's. */
export type MessageOfRun = NewRunMessage & { runId: RunId }

/** Facts of a finished run, from memory or from its row. */
export interface FinishedRun {
  runId: RunId
  kind: RunnableKind
  entityId: AgentId | TeamId
  /** The agent's or the team's. */
  name: string
  content: string
  sessionId: string
  userId: string
  /** Milliseconds since the epoch. */
  createdAt: number
  completedAt: number
  success: boolean
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  plan: RunPlan | null
  /** Rules of guardrails that were broken; null or empty for none. */
  flags: readonly GuardrailFlag[] | null
  /** null or absent when the run retrieved no passages. */
  citations?: readonly Citation[] | null
  messages: readonly MessageOfRun[] | null
}

/** Stored messages, in order, as the API shows them: a call with its result. */
export function publicMessages(messages: readonly MessageOfRun[]): RunMessage[] {
  // Ids of calls repeat across the loops of a run: a result belongs to the newest call before it.
  const results = new Map<MessageOfRun, Map<string, string | null>>()
  const open = new Map<string, MessageOfRun>()
  for (const message of messages) {
    for (const { id } of message.toolCalls ?? []) open.set(`${message.runId} ${id}`, message)
    const caller = message.toolCallId === null ? null : open.get(`${message.runId} ${message.toolCallId}`)
    if (!caller || message.toolCallId === null) continue
    results.set(caller, (results.get(caller) ?? new Map()).set(message.toolCallId, message.content))
  }
  return messages.map((message) => publicMessage(message, results.get(message)))
}

function publicMessage(
  message: MessageOfRun,
  results: ReadonlyMap<string, string | null> = new Map(),
): RunMessage {
  return {
    id: `${message.runId}:${message.idx}`,
    role: message.role,
    content: message.content,
    toolCalls:
      message.toolCalls?.map(({ id, name, arguments: args, status = 'error', ms = null }) => {
        return { toolCallId: id, name, arguments: args, status, result: results.get(id) ?? null, ms }
      }) ?? null,
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    isError: message.isError,
    agentId: message.agentId,
    agentName: message.agentName,
    runId: message.runId,
    createdAt: Math.floor(message.createdAt / 1000),
  }
}

/** The fields common to the results of agents, teams and jobs. */
export function sharedResult(run: FinishedRun) {
  return {
    content: run.content,
    sessionId: run.sessionId,
    userId: run.userId,
    success: run.success,
    metrics: {
      inputTokens: run.inputTokens,
      outputTokens: run.outputTokens,
      latencyMs: Math.max(0, Math.round(run.completedAt - run.createdAt)),
      model: null,
      failoverUsed: run.failoverUsed,
    },
    messages: run.messages && publicMessages(run.messages),
    ...(run.plan && { plan: run.plan }),
    ...(run.flags && run.flags.length > 0 && { flags: run.flags.map((flag) => ({ ...flag })) }),
    ...(run.citations && { citations: [...run.citations] }),
  }
}

/** The public result: the same object for a synchronous answer, for `RunCompleted` and for a repeated request. */
export function runResult(run: FinishedRun): AgentRunResult | TeamRunResult {
  const { runId, entityId, name } = run
  const createdAt = Math.floor(run.createdAt / 1000)
  const { content, sessionId, userId, success, metrics, messages, plan, flags, citations } = sharedResult(run)
  const rest = {
    content,
    sessionId,
    userId,
    createdAt,
    success,
    metrics,
    messages,
    ...(flags && { flags }),
    ...(citations && { citations }),
  }
  return run.kind === 'agent'
    ? { runId, agentId: checkedId(AgentId, entityId), agentName: name, ...rest }
    : { runId, teamId: checkedId(TeamId, entityId), teamName: name, ...rest, ...(plan && { plan }) }
}

/** The facts of a run that another process may have executed. `name` is the agent's or the team's. */
export function finishedRun(record: RunRecord, name: string, includeMessages: boolean): FinishedRun {
  return {
    ...record,
    name,
    content: record.content ?? '',
    completedAt: record.completedAt ?? record.createdAt,
    success: record.success ?? false,
    messages: includeMessages ? record.messages : null,
  }
}
