import { Choice, Nullable, Review, UnixSeconds, Uuid } from '@troupe/contract'
import { type Static, Type } from 'typebox'
import { reviewHistory } from '../reviews/operations.ts'

const moment = (description: string) =>
  Nullable(Type.Integer({ description: `${description} Milliseconds.` }))

export const TracedNodeStatus = Choice(['running', 'waiting', 'completed', 'failed'])

/** The state of a node in one frame, without its values. */
export const TracedNode = Type.Object({
  nodeId: Type.String(),
  name: Type.String({ description: 'In the version of the run.' }),
  type: Type.String({ description: 'Empty when the version has no such node.' }),
  path: Type.String({ description: 'Empty, or the iteration: `loop1[3]/inner[0]`.' }),
  seq: Type.Integer({ description: 'The order within the run.' }),
  status: TracedNodeStatus,
  attempts: Type.Integer(),
  handles: Nullable(Type.Array(Type.String(), { description: 'What a completed node took.' })),
  error: Nullable(Type.String()),
  agentRunId: Nullable(Uuid({ description: 'The run of the agent or team that it started.' })),
  note: Nullable(Type.String({ description: 'What people should know of a step that ended well.' })),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  startedMs: moment('When it started.'),
  completedMs: moment('When it ended.'),
  retryMs: moment('When its next attempt starts; null: none waits.'),
})
export type TracedNode = Static<typeof TracedNode>

/** A node with its values. */
export const TracedNodeValues = Type.Object({
  ...TracedNode.properties,
  input: Type.Unknown({ description: 'What it was given, with tokens filled in; null once erased.' }),
  output: Type.Unknown({ description: 'Secrets are replaced; more than 64 K characters are cut.' }),
})
export type TracedNodeValues = Static<typeof TracedNodeValues>

/** What a run of a workflow consists of. */
export const WorkflowRunDetail = Type.Object({
  input: Type.Unknown({ description: 'What the caller sent; secrets are replaced.' }),
  output: Type.Unknown(),
  firedNodeId: Nullable(Type.String({ description: 'The Recurrence that fired.' })),
  scheduledFor: Nullable(UnixSeconds()),
  traceErased: Type.Boolean({ description: 'Retention has erased the values of the nodes.' }),
  nodes: Type.Array(TracedNode, {
    description: 'The first 1,000 in the order of the run. Nodes that were skipped have no entry.',
  }),
  nodeCount: Type.Integer({ description: 'Of all nodes in all iterations.' }),
  failedNodeCount: Type.Integer({ description: 'Of those, the ones that failed.' }),
  reviews: Type.Array(Type.Object({ ...Review.properties, ...reviewHistory }), {
    description: 'Oldest first; at most 100.',
  }),
})
export type WorkflowRunDetail = Static<typeof WorkflowRunDetail>
