import { type Static, Type } from 'typebox'
import { Review } from '../../reviews/review.ts'
import { Choice } from '../../schema/choice.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { RunId, WorkflowRunId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
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
  handles: Nullable(Type.Array(Type.String(), { description: 'The handles that a completed node took.' })),
  error: Nullable(Type.String()),
  agentRunId: Nullable(Uuid<RunId>({ description: 'The run of the agent or team that it started.' })),
  note: Nullable(Type.String({ description: 'A note about a step that completed.' })),
  seeded: Nullable(
    Type.Object(
      {
        origin: Choice(['pin', 'run', 'mock', 'typed']),
        fromRunId: Nullable(
          Uuid<WorkflowRunId>({
            description: 'The origin of its result: an answered review was answered there.',
          }),
        ),
      },
      { description: 'Of a test: the step took this result and was not executed.' },
    ),
  ),
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
  input: Type.Unknown({ description: 'Its input, with tokens filled in; null once erased.' }),
  output: Type.Unknown({
    description: 'Secrets are replaced; longer texts are truncated to 64 K characters.',
  }),
})
export type TracedNodeValues = Static<typeof TracedNodeValues>

/** The steps that a test runs. */
export const TestScope = Type.Object({
  kind: Choice(['all', 'only', 'until', 'from']),
  nodeId: Nullable(Type.String({ maxLength: 64, description: 'null for `all`.' })),
  path: Nullable(
    Type.String({
      maxLength: 2_000,
      description: 'The iterations around the step: `loop1[3]`; null: the first of each Loop.',
    }),
  ),
})
export type TestScope = Static<typeof TestScope>

/** The steps that may have effects. */
export const AllowedEffects = Type.Union([
  Type.Boolean(),
  Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1_000 }),
])

/** The trace of a run of a workflow. */
export const WorkflowRunDetail = Type.Object({
  input: Type.Unknown({ description: "The caller's payload; secrets are replaced." }),
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
  test: Nullable(
    Type.Object(
      { scope: TestScope, allowEffects: AllowedEffects },
      { description: 'The scope and effects of a test in the builder; null: not a test.' },
    ),
  ),
})
export type WorkflowRunDetail = Static<typeof WorkflowRunDetail>
