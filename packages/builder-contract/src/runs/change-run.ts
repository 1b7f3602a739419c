import { Choice, defineOperation, Uuid } from '@troupe/contract'
import { Type } from 'typebox'
import { ORGANIZATION_PATH } from '../operation/paths.ts'
import { observedRunParams } from './get-run.ts'
import { OBSERVED_KINDS, OBSERVED_STATUSES } from './listed-run.ts'

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
  description: 'A run that has ended keeps its status, which the answer has.',
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

export const rerunForBuilder = defineOperation({
  ...shared,
  id: 'rerun',
  path: `${ORGANIZATION_PATH}/runs/{runId}/rerun`,
  summary: 'Run again with the same input',
  description:
    'With what is live now: the current version of the agent or team, in a session of its own and without ' +
    '`tool_context`, which is not kept; or the active deployment of the workflow, from the same trigger. A trial of the ' +
    'playground is repeated there, with the version or the draft that it tried.',
  success: {
    status: 202,
    description: 'The new run was accepted.',
    body: Type.Object({ runId: Uuid(), kind: Choice(OBSERVED_KINDS) }),
  },
  errors: [
    'run_not_found',
    'invalid_state',
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
