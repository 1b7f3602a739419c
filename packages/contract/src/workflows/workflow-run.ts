import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { WorkflowId, WorkflowRunId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'

export const WORKFLOW_RUN_STATUSES = [
  'queued',
  'running',
  'paused',
  'awaiting_approval',
  'completed',
  'failed',
  'loop_limit_reached',
  'policy_blocked',
  'cancelled',
  'concurrency_limit_reached',
] as const

/** The body that starts a workflow run; optional. */
export const WorkflowRunBody = Type.Object({
  input: Type.Optional(OpenObject({ description: 'Any JSON object; `{}` when omitted.' })),
})
export type WorkflowRunBody = Static<typeof WorkflowRunBody>

export const WorkflowParams = Type.Object({ workflowId: Uuid<WorkflowId>() })
export const WorkflowJobParams = Type.Object({
  jobId: Uuid<WorkflowRunId>({ description: 'The `executionId` of the run.' }),
})

const Status = Choice(WORKFLOW_RUN_STATUSES)
const error = Nullable(Type.String({ description: 'Why the run failed, or why it was rejected.' }))

/** The response of a synchronous run. */
export const WorkflowRunResult = Type.Object({
  executionId: Uuid<WorkflowRunId>(),
  workflowId: Uuid<WorkflowId>(),
  status: Choice(['completed', 'failed', 'loop_limit_reached', 'policy_blocked']),
  output: Type.Unknown({ description: 'Any JSON value, or null.' }),
  error,
  createdAt: UnixSeconds(),
})
export type WorkflowRunResult = Static<typeof WorkflowRunResult>

/** The acknowledgement of an asynchronous run. */
export const AcceptedWorkflowRun = Type.Object({
  executionId: Uuid<WorkflowRunId>(),
  workflowId: Uuid<WorkflowId>(),
  status: Choice(['queued']),
  createdAt: UnixSeconds(),
})
export type AcceptedWorkflowRun = Static<typeof AcceptedWorkflowRun>

/** A run as returned by polling. */
export const WorkflowJob = Type.Object({
  executionId: Uuid<WorkflowRunId>(),
  workflowId: Uuid<WorkflowId>(),
  status: Status,
  startedAt: Nullable(UnixSeconds()),
  completedAt: Nullable(UnixSeconds()),
  error,
  statusReason: Nullable(Type.String({ description: 'Why a run in flight is waiting.' })),
})
export type WorkflowJob = Static<typeof WorkflowJob>

/** The state of a run after it was cancelled, paused or resumed. */
export const WorkflowJobStatus = Type.Object({ executionId: Uuid<WorkflowRunId>(), status: Status })
export type WorkflowJobStatus = Static<typeof WorkflowJobStatus>

/** The result of a finished run. */
export const WorkflowJobResult = Type.Object({
  executionId: Uuid<WorkflowRunId>(),
  status: Status,
  output: Type.Unknown({ description: 'Any JSON value, or null.' }),
  error,
})
export type WorkflowJobResult = Static<typeof WorkflowJobResult>

/** The result of a node in one frame. */
export const WorkflowNodeRun = Type.Object({
  nodeId: Type.String(),
  name: Type.String(),
  type: Type.String(),
  path: Type.String({ description: 'Empty, or the iteration: `loop1[3]/inner[0]`.' }),
  status: Choice(['running', 'waiting', 'completed', 'failed']),
  attempts: Type.Integer(),
  startedAt: Nullable(UnixSeconds()),
  completedAt: Nullable(UnixSeconds()),
  error: Nullable(Type.String()),
  output: Type.Unknown(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
})
export type WorkflowNodeRun = Static<typeof WorkflowNodeRun>
