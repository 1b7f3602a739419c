import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH } from '../operation/paths.ts'
import { observedRunParams } from './get-run.ts'
import { OBSERVED_KINDS, OBSERVED_STATUSES } from './listed-run.ts'
import { AllowedEffects } from './workflow-run-trace.ts'

const ChangedRun = Type.Object({ runId: Uuid(), status: Choice(OBSERVED_STATUSES) })

const shared = {
  method: 'POST',
  tag: 'Runs',
  access: 'builder',
  needs: 'build',
  params: Type.Object(observedRunParams),
} as const

export const cancelRunForBuilder = defineOperation({
  ...shared,
  id: 'cancelRun',
  path: `${ORGANIZATION_PATH}/runs/{runId}/cancel`,
  summary: 'Cancel a run',
  description: 'A run that has ended keeps its status, which is returned.',
  success: { status: 200, description: 'The status of the run.', body: ChangedRun },
  errors: ['run_not_found'],
})

export const pauseRunForBuilder = defineOperation({
  ...shared,
  id: 'pauseRun',
  path: `${ORGANIZATION_PATH}/runs/{runId}/pause`,
  summary: 'Pause a workflow run',
  description: 'Nodes in progress finish, no new ones start.',
  success: { status: 200, description: 'The status of the run.', body: ChangedRun },
  errors: ['run_not_found', 'invalid_state'],
})

export const resumeRunForBuilder = defineOperation({
  ...shared,
  id: 'resumeRun',
  path: `${ORGANIZATION_PATH}/runs/{runId}/resume`,
  summary: 'Resume a paused workflow run',
  success: { status: 200, description: 'The status of the run.', body: ChangedRun },
  errors: ['run_not_found', 'invalid_state'],
})

/** The mode of repeating a run. */
export const RerunBody = Type.Object({
  on: Type.Optional(
    Choice(['version', 'draft'], {
      description: 'The graph, with `from` or of a test: that of the run (the default), or the draft.',
    }),
  ),
  from: Type.Optional(
    Type.Object(
      {
        nodeId: Type.String({ minLength: 1, maxLength: 64 }),
        path: Type.Optional(
          Nullable(Type.String({ maxLength: 2_000, description: 'The iterations around it.' })),
        ),
      },
      { description: 'The first step to run; earlier ones take their results.' },
    ),
  ),
  draftRevision: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Of the draft that was read; only the operator may leave it out.',
    }),
  ),
  allowEffects: Type.Optional(AllowedEffects),
  cancelOldest: Type.Optional(Type.Boolean({ description: 'As of `startTestRun`.' })),
})
export type RerunBody = Static<typeof RerunBody>

export const rerunForBuilder = defineOperation({
  ...shared,
  id: 'rerun',
  path: `${ORGANIZATION_PATH}/runs/{runId}/rerun`,
  summary: 'Run again with the same input, or from a step on',
  description:
    'Uses the live configuration: the current version of the agent or team, in a new session and without ' +
    '`tool_context`, which is not kept; or the active deployment of the workflow, from the same trigger. A trial of the ' +
    'playground is repeated there, with the version or the draft that it tried. With `from`, a run of a workflow is tested from ' +
    'that step on with its own results, on its version or on the draft; what was answered or done before is not repeated.',
  body: RerunBody,
  bodyOptional: true,
  success: {
    status: 202,
    description: 'The new run was accepted.',
    body: Type.Object({ runId: Uuid(), kind: Choice(OBSERVED_KINDS) }),
  },
  errors: [
    'validation_error',
    'run_not_found',
    'invalid_state',
    'draft_conflict',
    'seed_missing',
    'too_many_tests',
    'agent_not_found',
    'team_not_found',
    'version_not_found',
    'agent_archived',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
    'budget_exceeded',
    'workflow_not_found',
    'workflow_not_published',
    'concurrency_limit_reached',
    'execution_create_failed',
    'bad_gateway',
  ],
})
