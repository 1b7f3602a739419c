import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AnyRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { AgentRunDetail } from './agent-run-trace.ts'
import { ListedRun } from './listed-run.ts'
import { WorkflowRunDetail } from './workflow-run-trace.ts'

/** The run in the path. */
export const observedRunParams = { ...organizationParams, runId: Uuid<AnyRunId>() }

/** A run with its trace. */
export const RunDetail = Type.Object({
  ...ListedRun.properties,
  agentRun: Nullable(AgentRunDetail),
  workflowRun: Nullable(WorkflowRunDetail),
})
export type RunDetail = Static<typeof RunDetail>

export const getRunForBuilder = defineOperation({
  id: 'getRun',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/runs/{runId}`,
  tag: 'Runs',
  summary: 'Get a run with its trace',
  description: '`agentRun` is set for agents and teams, `workflowRun` for workflows.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(observedRunParams),
  success: { status: 200, description: 'The run.', body: RunDetail },
  errors: ['run_not_found'],
})
