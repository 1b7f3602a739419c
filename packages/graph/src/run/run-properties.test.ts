import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import type { CompiledGraph } from '../compile/compiled-graph.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { CEILING, finish, graphOf, type RandomGraph, randomGraphs, START } from '../testing/random-runs.ts'
import { recordRun } from '../testing/record-run.ts'
import { planRun, takeChanges } from './plan-run.ts'
import { replayGraphRun } from './replay-graph-run.ts'
import type { Activation } from './run-state.ts'
import { startGraphRun } from './start-graph-run.ts'

/** Possible events of a node in a frame. */
const ONCE = [
  ...['completed', 'skipped', 'ready,running,completed', 'ready,running,waiting,completed'],
  // Whether the node is disabled.
  'ready,completed',
]
const compile = (seed: RandomGraph): CompiledGraph => compileGraph(graphOf(seed), TEST_NODE_TYPES)
const first = () => 0

test('a run ends, each node runs at most once per frame, and every node is completed or skipped', () => {
  fc.assert(
    fc.property(randomGraphs, (seed) => {
      const graph = compile(seed)
      expect(graph.unreachable).toEqual([])
      const run = finish(startGraphRun(graph, START, CEILING), first)
      const settled = new Map<string, string[]>()
      for (const change of takeChanges(run)) {
        if (change.kind !== 'node') continue
        const key = `${change.path} ${change.nodeId}`
        settled.set(key, [...(settled.get(key) ?? []), change.status])
      }
      for (const statuses of settled.values()) {
        expect(ONCE).toContain(statuses.join())
      }
      for (const node of graph.root.nodes) expect(settled.get(` ${node.id}`)).toBeDefined()
      expect(run.frames.size).toBe(1)
      expect(run.root.status.filter((status) => status !== 'completed' && status !== 'skipped')).toEqual([])
      expect(planRun(run).status).toBe('completed')
    }),
    { numRuns: 300 },
  )
})

test('a node runs exactly when one of its edges is taken', () => {
  fc.assert(
    fc.property(randomGraphs, (seed) => {
      const { root } = finish(startGraphRun(compile(seed), START, CEILING), first)
      for (const node of root.level.nodes) {
        if (node.role === 'trigger') continue
        const isTaken = node.incoming.some(
          ({ source, handle }) =>
            root.status[source.slot] === 'completed' && root.handles[source.slot]?.includes(handle),
        )
        expect(root.status[node.slot]).toBe(isTaken ? 'completed' : 'skipped')
      }
    }),
    { numRuns: 300 },
  )
})

test('every legal order of completion has the same output', () => {
  fc.assert(
    fc.property(randomGraphs, fc.infiniteStream(fc.nat(1_000)), (seed, picks) => {
      const graph = compile(seed)
      const ordered = planRun(finish(startGraphRun(graph, START, CEILING), first))
      const shuffled = finish(startGraphRun(graph, START, CEILING), (count) => picks.next().value % count)
      expect(planRun(shuffled)).toEqual(ordered)
    }),
    { numRuns: 300 },
  )
})

test('a run that is stored and resumed after any step has the same output', () => {
  fc.assert(
    fc.property(randomGraphs, fc.infiniteStream(fc.nat(1_000)), (seed, picks) => {
      const graph = compile(seed)
      const ordered = planRun(finish(startGraphRun(graph, START, CEILING), first))
      let run = startGraphRun(graph, START, CEILING)
      const resume = () => {
        if (run.outcome || picks.next().value % 2 === 0) return null
        const record = JSON.parse(JSON.stringify(recordRun(run)))
        const before = planRun(run)
        run = replayGraphRun(graph, START, record, CEILING)
        const after = planRun(run)
        const places = (list: Activation[]) => list.map(({ path, nodeId }) => `${path} ${nodeId}`).sort()
        // A Loop requests its condition again if nothing is stored for its open iteration.
        const isAsking = after.start.some(({ iteration }) => iteration !== null)
        if (!isAsking) expect(places(after.start)).toEqual(places([...before.start, ...before.running]))
        return run
      }
      expect(planRun(finish(run, (count) => picks.next().value % count, resume))).toEqual(ordered)
    }),
    { numRuns: 300 },
  )
})

test('exactly cycles and unreachable nodes are found', () => {
  fc.assert(
    fc.property(randomGraphs, fc.array(fc.tuple(fc.nat(14), fc.nat(14)), { maxLength: 4 }), (seed, back) => {
      const graph = graphOf(seed)
      for (const [a, b] of back) {
        const [source, target] = [graph.nodes[a + 2], graph.nodes[b + 2]]
        if (!source || !target || source.parentId !== target.parentId) continue
        const [sourceHandle] = TEST_NODE_TYPES.get(source.type)?.handles({}).slice(-1) ?? []
        if (target.type === 'note' || sourceHandle === undefined) continue
        graph.edges.push({ id: `back-${a}-${b}`, source: source.id, sourceHandle, target: target.id })
      }
      const compiled = compileGraph(graph, TEST_NODE_TYPES)
      const unreachable = new Set(compiled.unreachable.flatMap(({ nodes }) => nodes.map(({ id }) => id)))
      const told = compiled.unreachable.flatMap(({ nodes }) => nodes)
      expect(told).toHaveLength(unreachable.size)
      // A node is unreachable exactly if one of its predecessors is.
      for (const node of compiled.nodes.values()) {
        const isStuck = node.incoming.some(({ source }) => unreachable.has(source.id))
        expect(unreachable.has(node.id)).toBe(isStuck)
      }
    }),
    { numRuns: 300 },
  )
})
