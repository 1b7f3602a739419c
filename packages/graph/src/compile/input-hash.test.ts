import { describe, expect, test } from 'vitest'
import type { Graph, GraphNode } from '../model/graph.ts'
import { inputHashes } from './input-hash.ts'

const node = (id: string, config: object = {}, more: object = {}): GraphNode =>
  ({
    id,
    name: id,
    type: 'edit-fields',
    position: { x: 0, y: 0 },
    parentId: null,
    config,
    ...more,
  }) as GraphNode
const edge = (source: string, target: string, sourceHandle = 'out') => {
  return { id: `${source}-${target}`, source, sourceHandle, target }
}

const GRAPH: Graph = {
  nodes: [node('a'), node('b'), node('c'), node('d'), node('loop'), node('in', {}, { parentId: 'loop' })],
  edges: [edge('a', 'b'), edge('b', 'c'), edge('a', 'd'), edge('d', 'loop'), edge('loop', 'in', 'body')],
}

const withNode = (changed: GraphNode): Graph => {
  return { ...GRAPH, nodes: GRAPH.nodes.map((one) => (one.id === changed.id ? changed : one)) }
}

describe('the hash of the input of a step', () => {
  const of = (graph: Graph, id: string) => inputHashes(graph)(id)

  test.each([
    ['a step before it', 'c', withNode(node('a', { x: 1 }))],
    ['a step right before it', 'c', withNode(node('b', { x: 1 }))],
    ['a step that is disabled', 'c', withNode(node('b', {}, { disabled: true }))],
    ['the Loop around it', 'in', withNode(node('loop', { x: 1 }))],
    ['a step before the Loop around it', 'in', withNode(node('d', { x: 1 }))],
    ['another way', 'c', { ...GRAPH, edges: [...GRAPH.edges, edge('d', 'c')] }],
    ['a missing way', 'c', { ...GRAPH, edges: GRAPH.edges.slice(1) }],
    ['another handle', 'c', { ...GRAPH, edges: [edge('a', 'b'), edge('b', 'c', 'true')] }],
  ])('changes with %s', (_, id, changed) => {
    expect(of(changed, id)).not.toBe(of(GRAPH, id))
  })

  test.each([
    ['the step itself', 'c', withNode(node('c', { x: 1 }))],
    ['a step beside it', 'c', withNode(node('d', { x: 1 }))],
    ['a step behind it', 'b', withNode(node('c', { x: 1 }))],
    [
      'another id of the step itself',
      'd',
      {
        nodes: GRAPH.nodes.map((one) => (one.id === 'd' ? node('own') : one)),
        edges: GRAPH.edges.map(({ source, target }) => edge(source, target === 'd' ? 'own' : target)),
      },
      'own',
    ],
    ['names and places', 'c', withNode(node('a', {}, { name: 'First', position: { x: 9, y: 9 } }))],
    [
      'the order of steps and edges',
      'c',
      { nodes: GRAPH.nodes.toReversed(), edges: GRAPH.edges.toReversed() },
    ],
  ])('is unchanged by %s', (_, id, changed, newId = id) => {
    expect(of(changed, newId)).toBe(of(GRAPH, id))
  })

  test('is null for a step that the graph does not have, and stops at a cycle', () => {
    expect(of(GRAPH, 'zz')).toBeNull()
    expect(of({ ...GRAPH, edges: [edge('a', 'b'), edge('b', 'a')] }, 'a')).toMatch(/^[0-9a-f]{16}$/)
  })
})
