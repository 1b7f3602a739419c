import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { ProjectId, SessionRowId, WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { WORKFLOW_RUN_STATUSES } from '../../workflows/workflow-run.ts'
import { RUN_SOURCES } from './run-sources.ts'

export const OBSERVED_KINDS = ['agent', 'team', 'workflow'] as const

/** The statuses of runs of every kind. */
export const OBSERVED_STATUSES = [
  ...WORKFLOW_RUN_STATUSES,
  // Only agents and teams have this status.
  'timeout',
] as const

/** A run of an agent, a team or a workflow in a list. */
export const ListedRun = Type.Object({
  runId: Uuid(),
  kind: Choice(OBSERVED_KINDS),
  isTest: Type.Boolean({ description: 'A trial in the builder.' }),
  entity: Type.Object({
    id: Uuid(),
    name: Nullable(Type.String({ description: 'null: it is deleted.' })),
  }),
  projectId: Nullable(Uuid<ProjectId>()),
  versionId: Uuid(),
  versionNumber: Nullable(Type.Integer({ description: 'null: an unpublished draft, or a deleted version.' })),
  source: Choice(RUN_SOURCES),
  status: Choice(OBSERVED_STATUSES),
  statusReason: Nullable(Type.String({ description: 'Why a run in flight waits.' })),
  success: Nullable(Type.Boolean({ description: 'null: it has not ended.' })),
  error: Nullable(
    Type.Object({
      code: Nullable(Type.String()),
      message: Type.String({ description: 'In lists its first line.' }),
    }),
  ),
  createdAt: UnixSeconds(),
  startedAt: Nullable(UnixSeconds()),
  completedAt: Nullable(UnixSeconds()),
  durationMs: Nullable(
    Type.Integer({ description: 'From the start of the work to its end; null: it has not ended.' }),
  ),
  inputTokens: Nullable(
    Type.Integer({ description: 'null: a workflow run with too many nodes to sum in a list.' }),
  ),
  outputTokens: Nullable(Type.Integer()),
  costUsd: Nullable(Type.Number({ description: 'null: also when no call had a price.' })),
  startedBy: Nullable(
    Type.Object({
      kind: Choice(['api_key', 'user', 'run'], {
        description: '`run`: a tool of an agent or a team, in the run with this id.',
      }),
      id: Uuid(),
      name: Nullable(
        Type.String({ description: 'Of the key, the person, or the agent or team of the run.' }),
      ),
    }),
  ),
  sessionId: Nullable(Type.String({ description: 'null for workflows.' })),
  sessionRowId: Nullable(Uuid<SessionRowId>({ description: 'The `id` of the conversation in `sessions`.' })),
  userId: Nullable(Type.String({ description: 'null for workflows.' })),
  tag: Nullable(Type.String()),
  workflowRunId: Nullable(Uuid<WorkflowRunId>({ description: 'The workflow run whose node started it.' })),
})
export type ListedRun = Static<typeof ListedRun>
