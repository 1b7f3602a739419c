import type { IdText, WorkflowId } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { diffWorkflows } from '@troupe/nodes/difference'
import { useMemo } from 'react'
import { DifferenceView } from '../difference/difference-view.tsx'

export interface GraphComparisonProps {
  workflowId: IdText<WorkflowId>
  before: Graph
  after: Graph
}

/** The difference of two graphs. In a separate chunk, because it includes the rules of graphs. */
export function GraphComparison({ workflowId, before, after }: GraphComparisonProps) {
  const difference = useMemo(() => diffWorkflows(before, after), [before, after])
  return <DifferenceView {...{ workflowId, difference, before, after }} />
}
