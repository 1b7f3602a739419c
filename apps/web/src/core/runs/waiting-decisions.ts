import type { AnyRunId, ApprovalId, IdText, ReviewId } from '@troupe/contract'
import type { MemberReviewDetail, RunDetail } from '@troupe/contract/builder'

interface WaitingDecisions {
  /** Calls of tools that wait for an approval. */
  approvals: readonly { approvalId: IdText<ApprovalId> }[]
  reviews: readonly { reviewId: IdText<ReviewId> }[]
  /** Runs that a step of the workflow started, and that wait themselves. */
  inside: readonly { runId: IdText<AnyRunId>; step: string }[]
}

/** The decisions that a run waits for, oldest first. */
export function waitingDecisions({ agentRun, workflowRun }: RunDetail): WaitingDecisions {
  return {
    approvals: (agentRun?.approvals ?? []).filter(({ status }) => status === 'pending'),
    reviews: (workflowRun?.reviews ?? []).filter(({ status }) => status === 'open'),
    inside: (workflowRun?.nodes ?? []).flatMap(({ status, agentRunId, name }) =>
      status === 'waiting' && agentRunId !== null ? [{ runId: agentRunId, step: name }] : [],
    ),
  }
}

/**
 * Whether a review can be decided by one press: it has no editable fields, no answer needs a comment, and the user
 * has not approved it.
 */
export function isDecidedInPlace({
  fields,
  requireRejectComment,
  hasApproved,
  obstacle,
}: Pick<MemberReviewDetail, 'fields' | 'requireRejectComment' | 'hasApproved' | 'obstacle'>): boolean {
  return fields.length === 0 && !requireRejectComment && !hasApproved && obstacle === null
}
