import type { LoopRange, StoredGraphRun } from '@troupe/graph'
import type { ClaimedWorkflowRun, StoredNodeRun } from '../ports/workflow-store.ts'

/** The items of an open Loop, stored because they are evaluated once and variables may have changed since. */
function rangeOf({ status, input }: StoredNodeRun): LoopRange | null {
  const isRange = typeof input === 'object' && input !== null && 'mode' in input
  return status === 'running' && isRange ? (input as LoopRange) : null
}

/** The rows of a run, as the graph resumes from them. */
export function recordOf({
  nodeRuns,
  iterations,
  variables,
  storedBytes,
}: ClaimedWorkflowRun): StoredGraphRun {
  return {
    storedBytes,
    variables,
    iterations,
    nodes: nodeRuns.map((row) => {
      const range = rangeOf(row)
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
