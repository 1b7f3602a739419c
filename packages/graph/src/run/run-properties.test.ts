import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import type { CompiledGraph } from '../compile/compiled-graph.ts'
import type { Graph } from '../model/graph.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { recordRun } from '../testing/record-run.ts'
import { applyResult, takeReady } from './apply-result.ts'
import type { NodeResult } from './node-result.ts'
import { planRun, takeChanges } from './plan-run.ts'
import { replayGraphRun } from './replay-graph-run.ts'
import { scopeAt } from './run-scope.ts'
import type { RunStart } from './run-start.ts'
import type { Activation, RunState } from './run-state.ts'
import { startGraphRun } from './start-graph-run.ts'

const START: RunStart = { kind: 'builder', nodeId: null, payload: { seed: 1 } }
const CEILING = { ceiling: 50 }

interface Seed {
  types: number[]
  parents: number[]
  links: [number, number, number][]
}

const seeds: fc.Arbitrary<Seed> = fc.record({
  types: fc.array(fc.nat(9), { minLength: 1, maxLength: 14 }),
  parents: fc.array(fc.nat(20), { minLength: 14, maxLength: 14 }),
  links: fc.array(fc.tuple(fc.nat(14), fc.nat(14), fc.nat(2)), { maxLength: 30 }),
})

const KINDS = [
  'edit-fields',
  'ai-agent',
  'if-else',
  'loop',
  'ai-prompt',
  'classify',
  'human-review',
  'loop',
  'note',
]

/** Graphs without blocking problems: edges go forward, every node has a way in from its trigger or its Loop. */
function graphOf({ types, parents, links }: Seed): Graph {
  const graph: Graph = { nodes: [], edges: [] }
  const add = (id: string, type: string, parentId: string | null) =>
    graph.nodes.push({ id, type, name: id, parentId, position: { x: graph.nodes.length, y: 0 }, config: {} })
  add('t0', 'manual-trigger', null)
  add('t1', 'recurrence', null)
  for (const [at, type] of types.entries()) {
    const loops = graph.nodes.filter((node) => node.type === 'loop')
    add(`n${at}`, KINDS[type] ?? 'variable', loops[(parents[at] ?? 0) % (loops.length * 2 + 1)]?.id ?? null)
  }
  const connect = (source: number, target: number, handle: number) => {
    const [a, b] = [graph.nodes[source], graph.nodes[target]]
    if (!a || !b || source >= target || a.parentId !== b.parentId || b.id.startsWith('t')) return
    const handles =
      TEST_NODE_TYPES.get(a.type)
        ?.handles(a.config)
        .filter((name) => name !== 'body') ?? []
    const sourceHandle = handles[handle % Math.max(handles.length, 1)]
    const id = `${a.id}.${sourceHandle}-${b.id}`
    if (b.type === 'note' || sourceHandle === undefined || graph.edges.some((edge) => edge.id === id)) return
    graph.edges.push({ id, source: a.id, sourceHandle, target: b.id })
  }
  for (const [source, target, handle] of links) connect(source, target, handle)
  for (const node of graph.nodes) {
    if (
      node.id.startsWith('t') ||
      node.type === 'note' ||
      graph.edges.some(({ target }) => target === node.id)
    )
      continue
    const [source, sourceHandle] = node.parentId === null ? ['t0', 'out'] : [node.parentId, 'body']
    graph.edges.push({ id: `entry-${node.id}`, source, sourceHandle, target: node.id })
  }
  return graph
}

function hash(text: string): number {
  let value = 7
  for (const character of text) value = (value * 31 + character.charCodeAt(0)) % 1_000_003
  return value
}

/** A result that depends on the node, its frame and everything that it sees, and on nothing else. */
function resultOf(run: RunState, activation: Activation): NodeResult {
  const node = run.graph.nodes.get(activation.nodeId)!
  const scope = scopeAt(run, activation)
  const seen = [...run.graph.nodes.keys()].map((id) => [id, scope.upstream(id)])
  const value = hash(JSON.stringify([node.id, activation.path, scope.trigger, scope.loop, seen]))
  if (activation.iteration !== null) return { status: 'condition', holds: activation.iteration < value % 3 }
  if (node.role === 'loop') {
    const modes: NodeResult[] = [
      { status: 'repeat', range: { mode: 'count', count: value % 4 } },
      { status: 'repeat', range: { mode: 'list', items: ['a', 'b'].slice(value % 3) } },
      { status: 'repeat', range: { mode: 'while' } },
    ]
    return modes[hash(node.id) % 3]!
  }
  return { status: 'completed', output: value, handles: [node.handles[value % node.handles.length]!] }
}

/** The reviews that are open, as activations. */
function waitingIn(run: RunState): Activation[] {
  return [...run.frames.values()].flatMap(({ path, level, status }) =>
    level.nodes.flatMap(({ id, slot }) =>
      status[slot] === 'waiting' ? { path, nodeId: id, iteration: null } : [],
    ),
  )
}

/**
 * Runs to the end; `pick` chooses which of the running nodes and open reviews answers next. Up to three run at the same
 * time. A Human Review waits first.
 */
function finish(run: RunState, pick: (count: number) => number, onStep: () => RunState | null = () => null) {
  let current = run
  for (let steps = 0; ; steps++) {
    expect(steps).toBeLessThan(200_000)
    while (planRun(current).running.length < 3 && takeReady(current));
    const plan = planRun(current)
    const waiting = waitingIn(current)
    const isStuck = plan.running.length === 0 && waiting.length > 0
    expect(plan.status === 'awaiting_approval').toBe(isStuck)
    const open = [...plan.running, ...waiting]
    const at = pick(Math.max(open.length, 1))
    const next = open[at]
    if (!next) return current
    const isReview = current.graph.nodes.get(next.nodeId)?.type === 'human-review'
    const isAsked = isReview && at < plan.running.length
    applyResult(current, next, isAsked ? { status: 'waiting' } : resultOf(current, next))
    current = onStep() ?? current
  }
}

/** What may happen to a node of a frame. */
const ONCE = ['completed', 'skipped', 'ready,running,completed', 'ready,running,waiting,completed']
const compile = (seed: Seed): CompiledGraph => compileGraph(graphOf(seed), TEST_NODE_TYPES)
const first = () => 0

test('a run ends, each node runs at most once per frame, and every node is completed or skipped', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
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
    fc.property(seeds, (seed) => {
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

test('every legal order of completion gives the same output', () => {
  fc.assert(
    fc.property(seeds, fc.infiniteStream(fc.nat(1_000)), (seed, picks) => {
      const graph = compile(seed)
      const ordered = planRun(finish(startGraphRun(graph, START, CEILING), first))
      const shuffled = finish(startGraphRun(graph, START, CEILING), (count) => picks.next().value % count)
      expect(planRun(shuffled)).toEqual(ordered)
    }),
    { numRuns: 300 },
  )
})

test('a run that is stored and resumed after any step gives the same output', () => {
  fc.assert(
    fc.property(seeds, fc.infiniteStream(fc.nat(1_000)), (seed, picks) => {
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
        // A Loop of whose open iteration nothing was stored asks for its condition again.
        const isAsking = after.start.some(({ iteration }) => iteration !== null)
        if (!isAsking) expect(places(after.start)).toEqual(places([...before.start, ...before.running]))
        return run
      }
      expect(planRun(finish(run, (count) => picks.next().value % count, resume))).toEqual(ordered)
    }),
    { numRuns: 300 },
  )
})

test('cycles and nodes without a way in are found, and nothing else', () => {
  fc.assert(
    fc.property(seeds, fc.array(fc.tuple(fc.nat(14), fc.nat(14)), { maxLength: 4 }), (seed, back) => {
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
      // A node can run when everything before it can: exactly the others.
      for (const node of compiled.nodes.values()) {
        const isStuck = node.incoming.some(({ source }) => unreachable.has(source.id))
        expect(unreachable.has(node.id)).toBe(isStuck)
      }
    }),
    { numRuns: 300 },
  )
})
