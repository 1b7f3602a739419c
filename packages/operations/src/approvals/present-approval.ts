import type { ApprovalRecord } from '@troupe/agents/ports'
import { type Approval, isJsonObject } from '@troupe/contract'
import { traceValue } from '@troupe/workflows'

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** An approval as people see it: what looks like a secret is replaced in the arguments, and long ones are cut. */
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
