import type { IdText, WorkflowId } from '@troupe/contract'
import { readGraph } from '@troupe/editor/document/read-graph'
import { apiSample } from '@troupe/nodes/api-sample'
import { withSamples } from '@troupe/nodes/sample-payload'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSamples } from '../../../parts/trigger-samples/use-samples.ts'

/** The input of a call to the published version of a workflow; empty until it is loaded, and without one. */
export function usePublishedInput(workflowId: IdText<WorkflowId> | null): unknown {
  const workflow = useOperation(
    'getWorkflow',
    { params: { workflowId: workflowId ?? '' } },
    { isEnabled: workflowId !== null },
  )
  const versionId = workflowId === null ? undefined : workflow.data?.deployment?.versionId
  const version = useOperation(
    'getWorkflowVersion',
    { params: { workflowId: workflowId ?? '', versionId: versionId ?? '' } },
    { isEnabled: versionId !== undefined },
  )
  const samples = useSamples(workflowId)
  const graph = versionId === undefined ? undefined : version.data?.graph
  return graph === undefined ? {} : apiSample(withSamples(readGraph(graph).nodes, samples))
}
