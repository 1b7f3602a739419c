import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { WorkflowRunId, WorkflowVersionId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { WorkflowFinding } from '../../workflows/definition/workflow.ts'
import { AcceptedWorkflowRun } from '../../workflows/workflow-run.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'
import { AllowedEffects, TestScope } from '../runs/workflow-run-trace.ts'
import { draftRevision } from './save-draft.ts'

const nodeId = Type.String({ minLength: 1, maxLength: 64 })
const framePath = Type.String({ maxLength: 2_000 })
const handle = Type.String({ minLength: 1, maxLength: 64 })

/** A step in a frame, with the handle that it takes. */
const seededStep = {
  nodeId,
  path: Type.Optional(
    Nullable(
      Type.String({ maxLength: 2_000, description: 'The frame: `loop1[3]`; absent or null: every frame.' }),
    ),
  ),
  handles: Type.Optional(
    Nullable(
      Type.Array(handle, {
        maxItems: 200,
        description: 'The handles that the step takes; null: its only one.',
      }),
    ),
  ),
}
const output = Type.Unknown({ description: 'Any JSON; of a Loop a list.' })

/** A value that a step uses as its result. */
const PinnedValue = Type.Object({ ...seededStep, output })

/** The same for one test: if only the handle matters, the value is taken from the source. */
const TypedValue = Type.Object({
  ...seededStep,
  output: Type.Optional(
    Type.Unknown({
      description:
        'Any JSON; for a Loop, a list. If absent: the output that the step had in `seeds.fromRunId`; without one it is missing.',
    }),
  ),
})

const asked = {
  draftRevision,
  triggerNodeId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'If absent: the trigger of `seeds.fromRunId`, else the first of manual, HTTP, form and recurrence triggers.',
    }),
  ),
  payload: Type.Optional(
    Type.Unknown({
      description: 'The value of `{{ trigger }}`; if absent, its value in `seeds.fromRunId`, else `{}`.',
    }),
  ),
  scope: Type.Object({
    kind: TestScope.properties.kind,
    nodeId: Type.Optional(Nullable(nodeId)),
    path: Type.Optional(Nullable(framePath)),
  }),
  seeds: Type.Optional(
    Type.Object({
      fromRunId: Type.Optional(
        Uuid<WorkflowRunId>({ description: 'A run of this workflow whose results are used.' }),
      ),
      values: Type.Optional(Type.Array(TypedValue, { maxItems: 1_000, description: 'Typed for this test.' })),
      pins: Type.Optional(
        Type.Array(PinnedValue, {
          maxItems: 1_000,
          description: 'Kept for a step; typed values go before them.',
        }),
      ),
      usePins: Type.Optional(
        Type.Boolean({ description: 'Take the pinned outputs of the draft, too; `pins` go before them.' }),
      ),
    }),
  ),
  allowEffects: Type.Optional(AllowedEffects),
}

/** The request of a test. */
export const PlanTestBody = Type.Object(asked)
export type PlanTestBody = Static<typeof PlanTestBody>

export const StartTestBody = Type.Object({
  ...asked,
  cancelOldest: Type.Optional(
    Type.Boolean({
      description:
        'Cancel the oldest test of the person when three are in flight; otherwise such a start is refused.',
    }),
  ),
})
export type StartTestBody = Static<typeof StartTestBody>

const PlannedStep = {
  nodeId: Type.String(),
  iterations: Choice(['every', 'before', 'chosen', 'after'], {
    description: 'Of the Loop around the step of the scope; `every`: it is in no such Loop.',
  }),
  certain: Type.Boolean({ description: 'false: only if other steps take certain branches.' }),
}

const steps = (description: string) => Type.Array(Type.Object(PlannedStep), { description })

const samples = {
  costUsd: Nullable(Type.Number({ description: 'null: no run of it had a price.' })),
  inputTokens: Type.Number(),
  outputTokens: Type.Number(),
  seconds: Type.Number(),
}

/** The plan of a test. */
export const TestRunPlan = Type.Object({
  draftRevision: Type.Integer(),
  triggerId: Nullable(Type.String()),
  fault: Nullable(Type.String({ description: 'Why the test would fail before its first step.' })),
  runs: steps('Steps that are executed.'),
  recomputed: steps('Steps without effects that are computed again, because the scope needs them.'),
  seeded: Type.Array(
    Type.Object({
      ...PlannedStep,
      origin: Choice(['pin', 'run', 'mock', 'typed']),
      fromRunId: Nullable(Uuid<WorkflowRunId>()),
      isAnswered: Type.Boolean({
        description: 'A review that was answered in that run and is not requested again.',
      }),
    }),
  ),
  missing: Type.Array(
    Type.Object({
      ...PlannedStep,
      message: Type.String({ description: 'Why the step has no stored result.' }),
    }),
    { description: 'A test with one that is `certain` is refused.' },
  ),
  unreached: Type.Array(
    Type.Object({
      nodeId: Type.String(),
      iterations: PlannedStep.iterations,
      message: Type.String(),
      takeWay: Nullable(
        Type.Object(
          { nodeId: Type.String(), ways: Type.Array(Type.String()) },
          {
            description:
              'The step that leads elsewhere, and the ways that would lead here: type one as a value.',
          },
        ),
      ),
    }),
  ),
  forced: Type.Array(Type.Object({ nodeId: Type.String(), handles: Type.Array(Type.String()) }), {
    description: 'Branching steps whose handle was chosen for this test.',
  }),
  effects: Type.Array(
    Type.Object({
      ...PlannedStep,
      type: Type.String(),
      isAllowed: Type.Boolean({ description: 'Its tools may have effects.' }),
      happensAgain: Type.Boolean({ description: '`seeds.fromRunId` had this effect already.' }),
      tools: Type.Array(Type.String(), {
        description: 'Tools of its agents that may change something: they are denied unless allowed.',
      }),
    }),
  ),
  findings: Type.Array(WorkflowFinding, {
    description: 'Problems that prevent this test; findings elsewhere in the draft do not.',
  }),
  cost: Type.Object({
    ...samples,
    unknown: Type.Array(Type.String(), { description: 'Steps that no past run has executed.' }),
    steps: Type.Array(Type.Object({ nodeId: Type.String(), runs: Type.Integer(), ...samples })),
  }),
  source: Nullable(
    Type.Object({
      runId: Uuid<WorkflowRunId>(),
      versionId: Uuid<WorkflowVersionId>(),
      versionNumber: Nullable(Type.Integer()),
      status: Type.String(),
      createdAt: UnixSeconds(),
      gone: Nullable(Type.String({ description: 'Parts of the run that are erased, or were not examined.' })),
    }),
  ),
})
export type TestRunPlan = Static<typeof TestRunPlan>

const shared = {
  method: 'POST',
  tag: 'Workflows',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
} as const

export const planTestRunForBuilder = defineOperation({
  ...shared,
  id: 'planTestRun',
  path: `${WORKFLOW_PATH}/test-runs/plan`,
  summary: 'Preview a test of the draft',
  description:
    'The steps that would run, those that use a stored result, missing results, effects, and the cost of past runs.',
  body: PlanTestBody,
  success: { status: 200, description: 'The plan; nothing is started.', body: TestRunPlan },
  errors: ['validation_error', 'workflow_not_found', 'draft_conflict', 'run_not_found'],
})

export const startTestRunForBuilder = defineOperation({
  ...shared,
  id: 'startTestRun',
  path: `${WORKFLOW_PATH}/test-runs`,
  summary: 'Test the draft, or a part of it',
  description:
    'Works before the first publish, too. A test takes a slot and spends budgets for models; it is shown in the builder only and ' +
    'kept for seven days. Tools with effects answer `denied: this is a test` unless they are allowed.',
  body: StartTestBody,
  success: { status: 202, description: 'The test is stored.', body: AcceptedWorkflowRun },
  errors: [
    'validation_error',
    'workflow_not_found',
    'draft_conflict',
    'run_not_found',
    'seed_missing',
    'too_many_tests',
    'concurrency_limit_reached',
    'execution_create_failed',
  ],
})
