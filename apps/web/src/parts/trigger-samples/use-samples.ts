import type { IdText, WorkflowId } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { withSamples } from '@troupe/nodes/sample-payload'
import { useMemo } from 'react'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

const NO_SAMPLES: ReadonlyMap<string, unknown> = new Map()

/** The sample values of the triggers of a workflow by the id of the trigger, kept beside its draft. null: no workflow. */
export function useSamples(workflowId: IdText<WorkflowId> | null): ReadonlyMap<string, unknown> {
  const pins = useOperation(
    'listPins',
    { params: { workflowId: workflowId ?? '' } },
    { isEnabled: workflowId !== null },
  ).data?.data
  return useMemo(
    () =>
      workflowId === null || !pins?.length
        ? NO_SAMPLES
        : new Map(
            // One from a run is the output of a step that had the id before.
            pins.flatMap(({ nodeId, output, fromRunId }) => (fromRunId === null ? [[nodeId, output]] : [])),
          ),
    [workflowId, pins],
  )
}

/** A graph with the sample values of its triggers in place of the samples in their settings. */
export function useSampledGraph(workflowId: IdText<WorkflowId>, graph: Graph): Graph {
  const samples = useSamples(workflowId)
  return useMemo(
    () => (samples.size === 0 ? graph : { ...graph, nodes: withSamples(graph.nodes, samples) }),
    [graph, samples],
  )
}
