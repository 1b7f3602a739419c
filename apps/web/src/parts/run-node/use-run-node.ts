import type { IdText, WorkflowRunId } from '@troupe/contract'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/** A node of a workflow run with its values; nothing is fetched without a node. Every part of the page shares the response. */
export function useRunNode(
  runId: IdText<WorkflowRunId>,
  { nodeId, path }: { nodeId: string | null; path: string },
) {
  return useOperation(
    'getRunNode',
    { params: { runId, nodeId: nodeId ?? '' }, query: path === '' ? {} : { path } },
    { isEnabled: nodeId !== null },
  )
}
