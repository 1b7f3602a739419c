import { journalStep, schemaOf } from '@troupe/durable-work'
import type { LoopRange, RunState, StoredGraphRun } from '@troupe/graph'
import { Type } from 'typebox'
import type { ClaimedWorkflowRun, StoredNodeRun } from '../ports/workflow-store.ts'

/** What an open Loop repeats over, in the input of its row. Its `mode` is its version: another shape gets another one. */
const LOOP_RANGE = journalStep(
  'loop_range',
  1,
  schemaOf<LoopRange>()(
    Type.Union([
      Type.Object({ mode: Type.Literal('list'), items: Type.Array(Type.Unknown()) }),
      Type.Object({ mode: Type.Literal('count'), count: Type.Number() }),
      Type.Object({ mode: Type.Literal('while') }),
    ]),
  ),
)

/**
 * The items of an open Loop, stored because they are evaluated once and variables may have changed since. The input of any
 * other node is its trace.
 */
function rangeOf({ path, nodeId, status, input }: StoredNodeRun, graph: RunState['graph']): LoopRange | null {
  const isLoop = graph.nodes.get(nodeId)?.role === 'loop'
  if (!isLoop || status !== 'running' || input === null) return null
  return LOOP_RANGE.read(`${path}/${nodeId}`, { name: null, version: 1, output: input })
}

/**
 * The rows of a run, as the graph resumes from them.
 *
 * @throws StepUnreadable when another version of the program has opened a Loop in another shape
 */
export function recordOf(
  { nodeRuns, iterations, variables, storedBytes }: ClaimedWorkflowRun,
  graph: RunState['graph'],
): StoredGraphRun {
  return {
    storedBytes,
    variables,
    iterations,
    nodes: nodeRuns.map((row) => {
      const range = rangeOf(row, graph)
      return {
        path: row.path,
        nodeId: row.nodeId,
        status: row.status,
        ...(row.status === 'completed' && { output: row.output, handles: row.handles ?? ['out'] }),
        ...(row.status === 'failed' && { message: row.error ?? 'It failed.' }),
        ...(range && { range }),
      }
    }),
  }
}
