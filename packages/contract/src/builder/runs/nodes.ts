import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { KeysetPage } from '../operation/lists.ts'
import { ORGANIZATION_PATH } from '../operation/paths.ts'
import { observedRunParams } from './get-run.ts'
import { TracedNode, TracedNodeStatus, TracedNodeValues } from './workflow-run-trace.ts'

const path = Type.String({
  maxLength: 2_000,
  description: 'The frame: empty for the top, or an iteration: `loop1[3]/inner[0]`.',
})

export const listRunNodesForBuilder = defineOperation({
  id: 'listRunNodes',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/runs/{runId}/nodes`,
  tag: 'Runs',
  summary: 'List the nodes of a workflow run',
  description: 'In the order of the run, without values.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(observedRunParams),
  query: Type.Object({
    path: Type.Optional(path),
    status: Type.Optional(TracedNodeStatus),
    after: Type.Optional(Type.String({ maxLength: 8_000, description: '`next` of the page before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
  }),
  success: { status: 200, description: 'One page of nodes.', body: KeysetPage(TracedNode) },
  errors: ['validation_error', 'run_not_found'],
})

export const getRunNodeForBuilder = defineOperation({
  id: 'getRunNode',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/runs/{runId}/nodes/{nodeId}`,
  tag: 'Runs',
  summary: 'Get a node of a workflow run with its values',
  access: 'builder',
  needs: 'read',
  params: Type.Object({ ...observedRunParams, nodeId: Type.String({ minLength: 1 }) }),
  query: Type.Object({ path: Type.Optional(path) }),
  success: { status: 200, description: 'The node.', body: TracedNodeValues },
  errors: ['validation_error', 'run_not_found'],
})
