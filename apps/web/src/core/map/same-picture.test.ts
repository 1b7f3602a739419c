import { edge, node } from '@troupe/editor/testing/draft'
import type { Graph } from '@troupe/graph'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shapeOfNode } from '../../features/workflows/map/shape-of-node.ts'
import { mapOfGraph } from './map-of-graph.ts'
import { isSamePicture } from './same-picture.ts'

const GRAPH: Graph = {
  nodes: [
    node('a'),
    node('loop 1'),
    node('b', 'loop 1'),
    node('say', null, { type: 'note', config: { markdown: 'Hello' } }),
    node('pick', null, { type: 'classifier', config: { categories: [{ name: 'One' }, { name: 'Two' }] } }),
  ],
  edges: [edge('a', 'loop 1'), edge('loop 1', 'b', 'body')],
}

const changes = fc.record(
  {
    name: fc.constantFrom('a', 'Other'),
    type: fc.constantFrom('edit-fields', 'loop', 'note', 'if-else', 'classifier'),
    parentId: fc.constantFrom(null, 'loop 1'),
    position: fc.constantFrom({ x: 0, y: 0 }, { x: 400, y: 80 }),
    config: fc.constantFrom(
      {},
      { markdown: 'Hello' },
      { markdown: 'Hello', width: 400, height: 300 },
      { categories: [{ name: 'Three' }] },
    ),
  },
  { requiredKeys: [] },
)

test('two states of a graph with the same drawing get the same layout', () => {
  fc.assert(
    fc.property(fc.nat(GRAPH.nodes.length - 1), changes, fc.boolean(), (at, part, isCut) => {
      const nodes = GRAPH.nodes.map((one, index) => (index === at ? { ...one, ...part } : one))
      const other: Graph = { nodes, edges: isCut ? GRAPH.edges.slice(1) : [...GRAPH.edges] }
      if (!isSamePicture(GRAPH, other, shapeOfNode)) return
      expect(mapOfGraph(other, shapeOfNode)).toEqual(mapOfGraph(GRAPH, shapeOfNode))
    }),
    { numRuns: 500 },
  )
})

test('a name or a setting does not change the drawing, and only the changed step is compared', () => {
  const [first, ...rest] = GRAPH.nodes
  const looked: string[] = []
  const shapeOf: typeof shapeOfNode = (one) => {
    looked.push(one.id)
    return shapeOfNode(one)
  }
  const renamed = { nodes: [{ ...node('a'), ...first, name: 'Typed', config: { rows: [] } }, ...rest] }
  expect(isSamePicture(GRAPH, { ...GRAPH, ...renamed }, shapeOf)).toBe(true)
  expect(new Set(looked)).toEqual(new Set(['a']))
  expect(isSamePicture(GRAPH, { ...GRAPH, nodes: rest }, shapeOf)).toBe(false)
  expect(isSamePicture(GRAPH, { ...GRAPH, nodes: [node('z'), ...rest] }, shapeOf)).toBe(false)
})
