import type { Graph, GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { olderResults } from './older-results.ts'

const node = (id: string, value = '1'): GraphNode => ({
  ...{ id, type: 'edit-fields', name: id, parentId: null, position: { x: 0, y: 0 } },
  config: { rows: [{ name: 'x', value }] },
})
const graphOf = (...nodes: GraphNode[]): Graph => ({
  nodes,
  edges: [
    { id: 'e1', source: 'a', sourceHandle: 'out', target: 'b' },
    { id: 'e2', source: 'b', sourceHandle: 'out', target: 'c' },
  ],
})

test('a result is older when the settings of its step or of a step before it were changed, and not by a move or a name', () => {
  const tested = graphOf(node('a'), node('b'), node('c'))
  const olderIn = (draft: Graph) => ['a', 'b', 'c', 'new'].filter(olderResults(tested, draft))
  expect(olderIn(graphOf(node('a'), node('b', '2'), node('c')))).toEqual(['b', 'c', 'new'])
  const moved = { ...node('b'), name: 'Other', position: { x: 9, y: 9 } }
  expect(olderIn(graphOf(node('a'), moved, node('c'), node('new')))).toEqual(['new'])
})
