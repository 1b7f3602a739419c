import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Nullable } from '../../schema/nullable.ts'
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
    after: Type.Optional(Type.String({ maxLength: 8_000, description: '`next` of the previous page.' })),
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

const NODE_ID = '[A-Za-z0-9_-]{1,64}'
/** Steps of one request: as many as a screen shows, in requests whose values stay below a megabyte. */
const MAX_PEEKED_NODES = 32

/** The start of a step's output. */
export const NodePreview = Type.Object({
  nodeId: Type.String(),
  preview: Nullable(
    Type.String({
      description:
        'The first line of a text, or other values as JSON, at most 120 characters; secrets are replaced. null: nothing is stored, or more than 32 KB.',
    }),
  ),
  isWhole: Type.Boolean({ description: 'Whether `preview` is all of it.' }),
  bytes: Nullable(
    Type.Integer({ description: 'The size of the value as JSON, in bytes; null: nothing is stored.' }),
  ),
})
export type NodePreview = Static<typeof NodePreview>

export const previewRunNodesForBuilder = defineOperation({
  id: 'previewRunNodes',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/runs/{runId}/node-previews`,
  tag: 'Runs',
  summary: 'Preview outputs of steps of a workflow run',
  description: 'Steps without a row in the frame are omitted.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(observedRunParams),
  query: Type.Object({
    nodes: Type.String({
      pattern: `^${NODE_ID}(?:,${NODE_ID}){0,${MAX_PEEKED_NODES - 1}}$`,
      patternMessage: `must be a list of at most ${MAX_PEEKED_NODES} ids of steps, separated by commas`,
      maxLength: 65 * MAX_PEEKED_NODES,
    }),
    path: Type.Optional(path),
  }),
  success: {
    status: 200,
    description: 'The previews.',
    body: Type.Object({ data: Type.Array(NodePreview) }),
  },
  errors: ['validation_error', 'run_not_found'],
})
