import type { Graph } from '@troupe/graph'
import { diffWorkflows } from '@troupe/nodes/difference'
import { useMemo } from 'react'
import { DifferenceView } from '../difference/difference-view.tsx'

export interface GraphComparisonProps {
  workflowId: string
  before: Graph
  after: Graph
}

/** What makes one graph another one. In a chunk of its own, because it brings the rules of graphs along. */
export function GraphComparison({ workflowId, before, after }: GraphComparisonProps) {
  const difference = useMemo(() => diffWorkflows(before, after), [before, after])
  return <DifferenceView {...{ workflowId, difference, before, after }} />
}
