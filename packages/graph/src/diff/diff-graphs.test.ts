import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Graph } from '../model/graph.ts'
import { diffGraphs } from './diff-graphs.ts'

const node = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  type: fc.constantFrom('variable', 'note'),
  name: fc.constantFrom('A', 'B'),
  parentId: fc.constant(null),
  position: fc.record({ x: fc.nat(1), y: fc.nat(1) }),
  config: fc.dictionary(fc.constantFrom('k', 'l'), fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<
    Record<string, unknown>
  >,
})
const id = fc.constantFrom('a', 'b', 'c', 'd')
const edge = fc.record({ id: fc.string(), source: id, sourceHandle: fc.constantFrom('out', 'x'), target: id })
const graph: fc.Arbitrary<Graph> = fc.record({
  nodes: fc.uniqueArray(node, { selector: (one) => one.id }),
  edges: fc.uniqueArray(edge, {
    selector: ({ source, sourceHandle, target }) => `${source} ${sourceHandle} ${target}`,
  }),
})

test('a graph does not differ from itself in another order of its parts', () => {
  fc.assert(
    fc.property(graph, ({ nodes, edges }) => {
      const other = {
        nodes: nodes.toReversed(),
        edges: edges.toReversed().map((one) => ({ ...one, id: `${one.id}!` })),
      }
      expect(diffGraphs({ nodes, edges }, other)).toEqual({ nodes: [], edges: [], moved: [], expose: null })
    }),
  )
})

test('the reverse diff has the same nodes, edges and fields, inverted', () => {
  const turned = { added: 'removed', removed: 'added', changed: 'changed' } as const
  fc.assert(
    fc.property(graph, graph, (one, other) => {
      const [there, back] = [diffGraphs(one, other), diffGraphs(other, one)]
      const names = (diff: typeof there, turn: boolean) =>
        [
          ...diff.nodes.flatMap(({ change, nodeId, fields }) => [
            `${turn ? turned[change] : change} ${nodeId}`,
            ...fields.map(({ path, before, after }) =>
              JSON.stringify([nodeId, path, ...(turn ? [after, before] : [before, after])]),
            ),
          ]),
          ...diff.edges.map(({ change, ...edge }) => JSON.stringify([turn ? turned[change] : change, edge])),
          ...diff.moved,
        ].toSorted()
      expect(names(back, true)).toEqual(names(there, false))
    }),
  )
})

test('a field is named by its path, and a move is not a change', () => {
  const at = (x: number, value: string) => ({
    nodes: [
      {
        id: 'a',
        type: 'variable',
        name: 'A',
        parentId: null,
        position: { x, y: 0 },
        config: { rows: [{ name: 'n', value }] },
      },
    ],
    edges: [],
  })
  expect(diffGraphs(at(0, '1'), at(5, '2'))).toEqual({
    nodes: [
      {
        change: 'changed',
        nodeId: 'a',
        name: 'A',
        type: 'variable',
        fields: [{ path: 'config.rows.0.value', before: '1', after: '2' }],
      },
    ],
    edges: [],
    moved: [],
    expose: null,
  })
  expect(diffGraphs(at(0, '1'), at(5, '1'))).toEqual({ nodes: [], edges: [], moved: ['a'], expose: null })
})

test('a change of the exposure over MCP is a difference', () => {
  const own: Graph = { nodes: [], edges: [] }
  const offered: Graph = { ...own, expose: 'mcp' }
  expect(diffGraphs(own, offered).expose).toEqual({ before: null, after: 'mcp' })
  expect(diffGraphs(offered, own).expose).toEqual({ before: 'mcp', after: null })
  expect(diffGraphs(offered, offered).expose).toBeNull()
})

const withConfig = (config: Record<string, unknown>): Graph => ({
  nodes: [{ id: 'a', type: 'variable', name: 'A', parentId: null, position: { x: 0, y: 0 }, config }],
  edges: [],
})
const fieldsBetween = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  diffGraphs(withConfig(before), withConfig(after)).nodes.flatMap(({ fields }) => fields)

test('a field may have the name of an inherited member', () => {
  const named = JSON.parse('{"__proto__":{"a":1},"constructor":"x"}')
  expect(fieldsBetween({}, named)).toEqual([
    { path: 'config.__proto__', before: null, after: { a: 1 } },
    { path: 'config.constructor', before: null, after: 'x' },
  ])
})

test('many differences, or differences below a long key, are one difference of the whole configuration', () => {
  const rows = (value: number) => ({ rows: Array<number>(50_000).fill(value) })
  expect(fieldsBetween(rows(1), rows(2))).toEqual([{ path: 'config', before: rows(1), after: rows(2) }])
  const below = (value: number) => ({ k: 1, ['k'.repeat(1_000)]: [value, value] })
  expect(fieldsBetween(below(1), below(2))).toEqual([{ path: 'config', before: below(1), after: below(2) }])
})
