import type { AgentRunResult, TeamRunResult } from '@troupe/contract'
import type { NewRunMessage, RunEnd } from '../ports/run-store.ts'
import type { Verdict } from '../run/run-outcome.ts'
import type { WorkResult } from '../run/subject.ts'
import { withoutTexts } from '../stream/without-texts.ts'
import type { LiveRun } from './live-run.ts'
import { type MessageOfRun, runResult } from './run-result.ts'

/** How a live run ends: the row to write and the event to show, from one verdict. */
export interface Ending {
  verdict: Verdict
  /** null unless the run has answered. */
  work: WorkResult | null
  /** Milliseconds since the epoch. */
  completedAt: number
}

/** The stored messages of the run: unanswered calls get a result, and the text so far becomes the last message. */
function closedMessages(run: LiveRun, { work, completedAt }: Ending): NewRunMessage[] {
  const { transcript, answer } = run.context.output
  transcript.closeOpenCalls(completedAt)
  const last = transcript.messages.at(-1)
  const isThere = last?.role === 'assistant' && last.content === answer.text
  if (!isThere)
    transcript.assistant(work?.author ?? run.prepared.subject.author, answer.text, {}, completedAt)
  return transcript.messages
}

function messagesByTime(run: LiveRun, own: readonly NewRunMessage[]): MessageOfRun[] {
  const { runId } = run.prepared
  const members = run.context.output.members.all.flatMap((member) =>
    member.messages.map((message): MessageOfRun => ({ ...message, runId: member.runId })),
  )
  const root = own.map((message): MessageOfRun => ({ ...message, runId }))
  return [...root, ...members].sort((a, b) => a.createdAt - b.createdAt)
}

/** The public result of a run that was answered in this process. */
export function resultOf(run: LiveRun, ending: Ending): AgentRunResult | TeamRunResult {
  const { runId, request, subject, session, userId } = run.prepared
  const { spending, output } = run.context
  const { ledger } = spending
  const { answer } = output
  return runResult({
    runId,
    kind: subject.kind,
    entityId: subject.entityId,
    name: subject.name,
    content: answer.text,
    sessionId: session.sessionId,
    userId,
    createdAt: request.acceptedAt,
    completedAt: ending.completedAt,
    success: ending.verdict.success,
    inputTokens: ledger.inputTokens,
    outputTokens: ledger.outputTokens,
    failoverUsed: ledger.failoverUsed,
    plan: ending.work?.plan ?? null,
    flags: run.context.output.flags,
    citations: run.context.output.citations.citationsIn(answer.text),
    messages: request.includeMessages ? messagesByTime(run, closedMessages(run, ending)) : null,
  })
}

async function terminalEvent(run: LiveRun, ending: Ending) {
  const { events, answer } = run.context.output
  const { verdict } = ending
  if (!events) return null
  if (verdict.status === 'completed') return events.end('RunCompleted', { result: resultOf(run, ending) })
  if (verdict.status === 'cancelled') {
    const { stopReason } = verdict
    const reason = stopReason === 'shutdown' || stopReason === 'disconnect' ? stopReason : 'user'
    return events.end('RunCancelled', { reason, content: answer.text })
  }
  return events.end('RunError', {
    error: verdict.error?.code ?? 'upstream_error',
    message: verdict.error?.message ?? 'The run failed.',
  })
}

/**
 * The row of this ending with the tail of the log, and a function that shows the terminal event after the
 * commit.
 */
export async function runEnd(run: LiveRun, ending: Ending): Promise<{ row: RunEnd; show(): void }> {
  const { runId, subject, userId, request } = run.prepared
  const { ledger } = run.context.spending
  const { prompts, answer, members, input, flags } = run.context.output
  const { verdict, work, completedAt } = ending
  const { storeMessages } = subject
  const messages = closedMessages(run, ending)
  const terminal = await terminalEvent(run, ending)
  const events = terminal?.rows ?? []
  return {
    show: terminal?.show ?? (() => {}),
    row: {
      runId,
      organizationId: subject.organizationId,
      projectId: subject.projectId,
      kind: subject.kind,
      entityId: subject.entityId,
      fence: run.fence,
      status: verdict.status,
      success: verdict.success,
      input: input.replaced,
      flags,
      content: storeMessages && answer.text !== '' ? answer.text : null,
      storeMessages,
      learns:
        verdict.status === 'completed' &&
        verdict.success &&
        run.context.identity.user?.learns === true &&
        subject.memory.user_memories.enabled,
      answerAgentId: (work?.author ?? subject.author).agentId,
      plan: work?.plan ?? null,
      citations: run.context.output.citations.citationsIn(answer.text),
      messages: storeMessages ? messages : [],
      members: members.unwritten(),
      errorCode: verdict.error?.code ?? null,
      errorMessage: verdict.error?.message ?? null,
      stopReason: verdict.stopReason,
      inputTokens: ledger.inputTokens,
      outputTokens: ledger.outputTokens,
      failoverUsed: ledger.failoverUsed,
      completedAt,
      usage: ledger.unwritten,
      prompts: storeMessages ? prompts.unwritten : null,
      userId,
      tag: request.tag,
      events: storeMessages ? events : withoutTexts(events),
    },
  }
}
