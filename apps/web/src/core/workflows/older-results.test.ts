import type { Graph, GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { olderResults } from './older-results.ts'

const node = (id: string, value = '1', parentId: string | null = null): GraphNode => ({
  ...{ id, type: 'edit-fields', name: id, parentId, position: { x: 0, y: 0 } },
  config: { rows: [{ name: 'x', value }] },
})
const edge = (source: string, target: string, sourceHandle = 'out') => {
  return { id: `${source}-${target}`, source, sourceHandle, target }
}
const EDGES = [
  edge('a', 'b'),
  edge('b', 'loop'),
  edge('loop', 'in', 'body'),
  edge('in', 'last'),
  edge('loop', 'end', 'done'),
]
const NODES = [
  node('a'),
  node('b'),
  node('loop'),
  node('in', '1', 'loop'),
  node('last', '1', 'loop'),
  node('end'),
]
const TESTED: Graph = { nodes: NODES, edges: EDGES }
const withNode = (changed: GraphNode): Graph => {
  return { ...TESTED, nodes: NODES.map((one) => (one.id === changed.id ? changed : one)) }
}

test.each<[string, Graph, string[]]>([
  ['nothing', TESTED, []],
  ['a name and a place', withNode({ ...node('b'), name: 'Other', position: { x: 9, y: 9 } }), []],
  ['a step', withNode(node('b', '2')), ['b', 'end', 'in', 'last', 'loop']],
  ['a disabled step', withNode({ ...node('b'), disabled: true }), ['b', 'end', 'in', 'last', 'loop']],
  ['a step in a Loop', withNode(node('last', '2', 'loop')), ['end', 'last', 'loop']],
  ['a Loop', withNode(node('loop', '2')), ['end', 'in', 'last', 'loop']],
  ['a connection', { ...TESTED, edges: [...EDGES, edge('a', 'end')] }, ['end']],
  ['a missing connection', { ...TESTED, edges: EDGES.slice(1) }, ['b', 'end', 'in', 'last', 'loop']],
  ['a new step', { nodes: [...NODES, node('new')], edges: [...EDGES, edge('end', 'new')] }, ['new']],
])('after a change of %s the right results are older', (_, draft, older) => {
  expect([...olderResults(TESTED, draft)].toSorted()).toEqual(older)
})

test('a chain of 10,000 steps is compared in one pass', () => {
  const nodes = Array.from({ length: 10_000 }, (_, n) => node(`s${n}`))
  const edges = nodes.slice(1).map(({ id }, n) => edge(`s${n}`, id))
  const draft = { nodes: [node('s0', '2'), ...nodes.slice(1)], edges }
  expect(olderResults({ nodes, edges }, draft).size).toBe(10_000)
})
