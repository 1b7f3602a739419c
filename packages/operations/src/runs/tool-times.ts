import type { AgentRunDetail } from '@troupe/contract/builder'
import type { AgentRunTrace } from '@troupe/storage'

type Traced = Pick<AgentRunTrace, 'approvals' | 'members' | 'messages'>

/** The member whose call a step asked about; null: the run's own. */
function memberOf({ members }: Traced, stepKey: string): string | null {
  return members.find((member) => stepKey.startsWith(`${member.stepKey}/`))?.runId ?? null
}

/** The calls that waited for people: who decided about them, and when. */
export function tracedApprovals(trace: Traced): NonNullable<AgentRunDetail['approvals']> {
  return trace.approvals.map(({ stepKey, createdAt, resolvedAt, resolvedBy, ...approval }) => ({
    ...approval,
    memberRunId: memberOf(trace, stepKey),
    by: resolvedBy,
    askedMs: createdAt,
    resolvedMs: resolvedAt,
  }))
}

/**
 * When the calls of tools began, as their run has stored it. In older runs: when the answer that made them had ended, which
 * its message records, and after the decision of a person where one was asked.
 */
export function toolStarts(trace: Traced): NonNullable<AgentRunDetail['toolStarts']> {
  const decided = new Map(
    trace.approvals.map(({ stepKey, toolCallId, resolvedAt }) => [
      `${memberOf(trace, stepKey) ?? ''} ${toolCallId}`,
      resolvedAt,
    ]),
  )
  const members = new Set<string>(trace.members.map(({ runId }) => runId))
  return trace.messages.flatMap(({ runId, toolCalls, createdAt }) =>
    (toolCalls ?? []).map(({ id, startedAt }) => {
      if (startedAt !== undefined) return { runId, toolCallId: id, startedMs: startedAt, isStored: true }
      const approvedMs = decided.get(`${members.has(runId) ? runId : ''} ${id}`) ?? null
      return {
        runId,
        toolCallId: id,
        startedMs: Math.max(createdAt, approvedMs ?? createdAt),
        isStored: false,
      }
    }),
  )
}
