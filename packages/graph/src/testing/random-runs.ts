import fc from 'fast-check'
import type { Graph } from '../model/graph.ts'
import { applyResult, takeReady } from '../run/apply-result.ts'
import type { NodeResult } from '../run/node-result.ts'
import { planRun } from '../run/plan-run.ts'
import { scopeAt } from '../run/run-scope.ts'
import type { RunStart } from '../run/run-start.ts'
import type { Activation, RunState } from '../run/run-state.ts'
import { TEST_NODE_TYPES } from './node-types.ts'

/** The trigger with which these runs start. */
export const START: RunStart = { kind: 'builder', nodeId: null, payload: { seed: 1 } }
export const CEILING = { ceiling: 50 }

/** The random choices for a graph. */
export interface RandomGraph {
  types: number[]
  parents: number[]
  links: [number, number, number][]
  /** Nodes with 0 are disabled. */
  off: number[]
}

/** Random graphs of up to 14 nodes behind two triggers. */
export const randomGraphs: fc.Arbitrary<RandomGraph> = fc.record({
  types: fc.array(fc.nat(9), { minLength: 1, maxLength: 14 }),
  parents: fc.array(fc.nat(20), { minLength: 14, maxLength: 14 }),
  links: fc.array(fc.tuple(fc.nat(14), fc.nat(14), fc.nat(2)), { maxLength: 30 }),
  off: fc.array(fc.nat(6), { minLength: 14, maxLength: 14 }),
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

/** Graphs without blocking problems: edges go forward, every node is reachable from its trigger or its Loop. */
export function graphOf({ types, parents, links, off }: RandomGraph): Graph {
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
  for (const [at, node] of graph.nodes.slice(2).entries()) if (off[at] === 0) node.disabled = true
  return graph
}

function hash(text: string): number {
  let value = 7
  for (const character of text) value = (value * 31 + character.charCodeAt(0)) % 1_000_003
  return value
}

/** A result that depends only on the node, its frame and its visible values. */
export function resultOf(run: RunState, activation: Activation): NodeResult {
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
 * Runs to the end; `pick` chooses which of the running nodes and open reviews finishes next. Up to three nodes run
 * concurrently. A Human Review waits first.
 */
export function finish(
  run: RunState,
  pick: (count: number) => number,
  onStep: () => RunState | null = () => null,
) {
  let current = run
  for (let steps = 0; ; steps++) {
    if (steps > 200_000) throw new Error('the run does not end')
    while (planRun(current).running.length < 3 && takeReady(current));
    const plan = planRun(current)
    const waiting = current.outcome ? [] : waitingIn(current)
    const isStuck = plan.running.length === 0 && waiting.length > 0
    if ((plan.status === 'awaiting_approval') !== isStuck)
      throw new Error(`${plan.status}: ${waiting.length} reviews`)
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
