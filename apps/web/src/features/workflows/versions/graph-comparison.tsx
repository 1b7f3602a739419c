import { diffGraphs, type Graph } from '@troupe/graph'
import { useMemo } from 'react'
import { DifferenceView } from '../parts/difference-view.tsx'

/** What makes one graph another one. In a chunk of its own, because it brings the rules of graphs along. */
export function GraphComparison({ before, after }: { before: Graph; after: Graph }) {
  const difference = useMemo(() => diffGraphs(before, after), [before, after])
  const names = new Map([...before.nodes, ...after.nodes].map(({ id, name }) => [id, name]))
  return <DifferenceView difference={difference} names={names} />
}
