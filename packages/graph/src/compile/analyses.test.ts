import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyResult, takeReady } from '../run/apply-result.ts'
import { startGraphRun } from '../run/start-graph-run.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { flowHandles, runsWith } from './always-with.ts'
import { isAncestor } from './ancestors.ts'
import { compileGraph } from './compile-graph.ts'
import type { CompiledGraph } from './compiled-graph.ts'
import { FULL_EFFORT } from './effort.ts'
import { areExclusive } from './exclusive.ts'

const KINDS = ['edit-fields', 'if-else', 'edit-fields', 'classify']

/** Small graphs of choices and joins, every node reachable. */
const graphs = fc
  .record({
    types: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
    links: fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.nat(2)), { maxLength: 8 }),
  })
  .map(({ types, links }) => {
    const place = { parentId: null, position: { x: 0, y: 0 } }
    const nodes = ['manual-trigger', ...types.map((type) => KINDS[type] ?? '')].map((type, at) => {
      return { id: `n${at}`, type, name: `${at}`, config: { classes: ['a'] }, ...place }
    })
    const edges = links.flatMap(([a, b, h], at) => {
      const handles = TEST_NODE_TYPES.get(nodes[a]?.type ?? '')?.handles({ classes: ['a'] }) ?? []
      const sourceHandle = handles[h % Math.max(handles.length, 1)]
      return a < b && nodes[b] && sourceHandle
        ? [{ id: `e${at}`, source: `n${a}`, sourceHandle, target: `n${b}` }]
        : []
    })
    // Each other node follows one of the three nodes before it, on any of its handles.
    for (const [at, { id }] of nodes.entries()) {
      if (at === 0 || edges.some(({ target }) => target === id)) continue
      const source = nodes[Math.max(at - 1 - ((types[at - 1] ?? 0) % 3), 0)]
      const handles = TEST_NODE_TYPES.get(source?.type ?? '')?.handles({ classes: ['a'] }) ?? []
      const sourceHandle = handles[at % handles.length] ?? 'out'
      edges.push({ id: `in-${id}`, source: source?.id ?? '', sourceHandle, target: id })
    }
    return compileGraph({ nodes, edges }, TEST_NODE_TYPES)
  })

/** The executed nodes, for every combination of choices. */
function everyRun(graph: CompiledGraph): Set<string>[] {
  const choices = [...graph.nodes.values()].filter((node) => node.handles.length > 1)
  return Array.from({ length: 2 ** choices.length }, (_, bits) => {
    const run = startGraphRun(graph, { kind: 'api', input: {} })
    for (let next = takeReady(run); next; next = takeReady(run)) {
      const node = graph.nodes.get(next.nodeId)!
      const handle = node.handles[(bits >> Math.max(choices.indexOf(node), 0)) & 1] ?? 'out'
      applyResult(run, next, { status: 'completed', output: null, handles: [handle] })
    }
    return new Set(
      graph.root.nodes.filter((node) => run.root.status[node.slot] === 'completed').map(({ id }) => id),
    )
  })
}

test('findings called certain or exclusive hold in every run, and earlier nodes are found', () => {
  let certain = 0
  let exclusive = 0
  fc.assert(
    fc.property(graphs, (graph) => {
      const runs = everyRun(graph)
      for (const a of graph.nodes.values()) {
        for (const b of graph.nodes.values()) {
          if (a === b) continue
          if (runsWith(a, b, { left: FULL_EFFORT })) {
            certain += 1
            for (const ran of runs) expect(!ran.has(b.id) || ran.has(a.id)).toBe(true)
          }
          if (!isAncestor(a, b) && !isAncestor(b, a) && areExclusive(a, b, { left: FULL_EFFORT })) {
            exclusive += 1
            for (const ran of runs) expect(ran.has(a.id) && ran.has(b.id)).toBe(false)
          }
          const isBefore = b.incoming.some(({ source }) => source === a || isAncestor(a, source))
          expect(isAncestor(a, b)).toBe(isBefore)
        }
      }
    }),
    { numRuns: 300 },
  )
  expect(certain).toBeGreaterThan(100)
  expect(exclusive).toBeGreaterThan(10)
})

test('an exhausted effort reports no problem', () => {
  const graph = compileGraph({ nodes: [], edges: [] }, TEST_NODE_TYPES)
  expect(graph.root.nodes).toEqual([])
  fc.assert(
    fc.property(graphs, ({ root: { nodes } }) => {
      const [a, b] = nodes
      if (!a || !b) return
      expect(areExclusive(a, b, { left: 0 })).toBe(true)
      if (a.out.length > 0) expect(runsWith(a, b, { left: 0 })).toBe(true)
      expect(flowHandles(a)).toEqual(a.handles)
    }),
  )
})
