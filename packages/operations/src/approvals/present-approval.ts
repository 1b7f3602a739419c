import type { ApprovalRecord } from '@troupe/agents/ports'
import { type Approval, isJsonObject } from '@troupe/contract'
import { traceValue } from '@troupe/workflows'

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** An approval as people see it: likely secrets in the arguments are replaced, and long arguments are truncated. */
export function presentApproval(approval: ApprovalRecord): Approval {
  const {
    approvalId,
    runId,
    workflowRunId,
    agentId,
    toolCallId,
    toolName,
    status,
    resolvedBy,
    resolvedAt,
    reason,
  } = approval
  const args = traceValue(approval.args)
  return {
    ...{ approvalId, runId, workflowRunId, agentId, toolCallId, toolName },
    args: isJsonObject(args) ? args : {},
    status,
    createdAt: seconds(approval.createdAt),
    expiresAt: Math.ceil(approval.expiresAt / 1000),
    resolvedBy,
    resolvedAt: resolvedAt === null ? null : seconds(resolvedAt),
    reason,
  }
}
