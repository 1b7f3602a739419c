import type { AgentRunResult, RunMessage } from '@troupe/contract'
import type { NewRunMessage, RunRecord } from '../ports/run-store.ts'

/** Facts of a finished run, from memory or from its row. */
export interface FinishedRun {
  runId: string
  agentId: string
  agentName: string
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
  messages: readonly NewRunMessage[] | null
}

function publicMessage(run: FinishedRun, message: NewRunMessage): RunMessage {
  return {
    id: `${run.runId}:${message.idx}`,
    role: message.role,
    content: message.content,
    toolCalls: null,
    toolCallId: null,
    toolName: null,
    isError: null,
    agentId: message.agentId,
    agentName: message.agentId === null ? null : run.agentName,
    runId: run.runId,
    createdAt: Math.floor(message.createdAt / 1000),
  }
}

/** The public result: the same object for a synchronous answer, for `RunCompleted` and for a repeated request. */
export function agentRunResult(run: FinishedRun): AgentRunResult {
  return {
    runId: run.runId,
    agentId: run.agentId,
    agentName: run.agentName,
    content: run.content,
    sessionId: run.sessionId,
    userId: run.userId,
    createdAt: Math.floor(run.createdAt / 1000),
    success: run.success,
    metrics: {
      inputTokens: run.inputTokens,
      outputTokens: run.outputTokens,
      latencyMs: Math.max(0, Math.round(run.completedAt - run.createdAt)),
      model: null,
      failoverUsed: run.failoverUsed,
    },
    messages: run.messages?.map((message) => publicMessage(run, message)) ?? null,
  }
}

/** The result of a run that another request executed. */
export function resultOfRecord(
  record: RunRecord,
  agentName: string,
  includeMessages: boolean,
): AgentRunResult {
  return agentRunResult({
    ...record,
    agentName,
    content: record.content ?? '',
    completedAt: record.completedAt ?? record.createdAt,
    success: record.success ?? false,
    messages: includeMessages ? record.messages : null,
  })
}
