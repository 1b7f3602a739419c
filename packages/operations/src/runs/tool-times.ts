import type { AgentRunDetail } from '@troupe/contract/builder'
import type { AgentRunTrace } from '@troupe/storage'

type Traced = Pick<AgentRunTrace, 'approvals' | 'members' | 'messages'>

/** The member with the call of a step; null: the run's own. */
function memberOf({ members }: Traced, stepKey: string): string | null {
  return members.find((member) => stepKey.startsWith(`${member.stepKey}/`))?.runId ?? null
}

/** The tool calls that waited for people, with decisions and times. */
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
 * Start times of tool calls, as stored by their run. In older runs: the end of the answer that made them, which its
 * message records, or the decision of a person if one was required.
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
