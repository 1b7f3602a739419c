import { type Static, Type } from 'typebox'
import { ReviewActor } from '../reviews/review.ts'
import { Choice } from '../schema/choice.ts'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { AgentId, ApprovalId, RunId, WorkflowRunId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]
const Status = Choice(APPROVAL_STATUSES, {
  description: '`expired`: no decision in time, or the run ended first; the call is not executed.',
})

/** A tool call that waits, or waited, for a person's decision. */
export const Approval = Type.Object({
  approvalId: Uuid<ApprovalId>(),
  runId: Uuid<RunId>({
    description: 'The run, or the job, in which the call is made; of a team for its members.',
  }),
  workflowRunId: Nullable(
    Uuid<WorkflowRunId>({
      description: 'The run of the workflow that this step belongs to; null for every other run.',
    }),
  ),
  agentId: Uuid<AgentId>({ description: 'The agent that calls the tool.' }),
  toolCallId: Type.String({ description: 'As in the events of the run; unique for each agent in it.' }),
  toolName: Type.String(),
  args: OpenObject({ description: 'The arguments from the model; they cannot be changed.' }),
  status: Status,
  createdAt: UnixSeconds(),
  expiresAt: UnixSeconds(),
  resolvedBy: Nullable(ReviewActor),
  resolvedAt: Nullable(
    UnixSeconds({ description: 'When it left `pending`; null while it has not been written.' }),
  ),
  reason: Nullable(Type.String()),
})
export type Approval = Static<typeof Approval>

export const ApprovalParams = Type.Object({ approvalId: Uuid<ApprovalId>() })

/** A decision on a call. */
export const ResolveApprovalBody = Type.Object({
  decision: Choice(['approve', 'reject']),
  reason: Type.Optional(
    Nullable(Type.String({ maxLength: 2_000, description: 'The model reads it when the call is rejected.' })),
  ),
})
export type ResolveApprovalBody = Static<typeof ResolveApprovalBody>

/** The outcome of a decision. */
export const ResolvedApproval = Type.Object({
  approvalId: Uuid<ApprovalId>(),
  runId: Uuid<RunId>(),
  status: Status,
})
export type ResolvedApproval = Static<typeof ResolvedApproval>
