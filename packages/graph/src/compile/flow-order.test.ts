import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Graph } from '../model/graph.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { parseSketch } from '../testing/parse-sketch.ts'
import { compileGraph } from './compile-graph.ts'

const orderOf = (graph: Graph) => [...compileGraph(graph, TEST_NODE_TYPES).nodes.keys()].join(' ')

test('steps follow their edges, and branches are ordered by their ids', () => {
  expect(orderOf(parseSketch('t→b→z→j, t→a→j'))).toBe('t a b z j')
  expect(orderOf(parseSketch('t→l, l.body→d(l)→c2(l), l.done→c'))).toBe('t l d c2 c')
})

test('steps in a cycle come last', () => {
  expect(orderOf(parseSketch('c→b→c, t→z'))).toBe('t z b c')
})

test('neither positions nor the order of nodes and edges change the order of steps', () => {
  const sketch = parseSketch(
    't→i, i.true→a→j, i.false→b→j, t→c→k, j→k, k→x→z, k→y→z, t→l, l.body→d(l)→c2(l), l.done→z',
  )
  const expected = orderOf(sketch)
  const shuffled = <T>(list: T[]) => fc.shuffledSubarray(list, { minLength: list.length })
  const moved = fc.record({
    nodes: shuffled(sketch.nodes),
    edges: shuffled(sketch.edges),
    places: fc.array(fc.record({ x: fc.nat(9), y: fc.nat(9) }), { minLength: 20, maxLength: 20 }),
  })
  fc.assert(
    fc.property(moved, ({ nodes, edges, places }) => {
      const graph = {
        nodes: nodes.map((node, at) => ({ ...node, position: places[at] ?? node.position })),
        edges,
      }
      expect(orderOf(graph)).toBe(expected)
    }),
  )
})
