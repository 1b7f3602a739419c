import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import type { Graph } from '../model/graph.ts'
import { execute, gives } from '../testing/execute.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { compileSketch } from '../testing/parse-sketch.ts'
import type { RunStart } from './run-start.ts'
import { startGraphRun } from './start-graph-run.ts'

const START: RunStart = { kind: 'api', input: {} }

/** Minimum of several tries in milliseconds: the machine may be busy. */
function best(tries: number, work: () => void): number {
  const times = Array.from({ length: tries }, () => {
    const before = performance.now()
    work()
    return performance.now() - before
  })
  return Math.min(...times)
}

function chain(length: number): Graph {
  const nodes = Array.from({ length }, (_, at) => ({
    id: at === 0 ? 't' : `n${at}`,
    type: at === 0 ? 'http-request' : 'edit-fields',
    name: `N${at}`,
    parentId: null,
    position: { x: at, y: 0 },
    config: {},
  }))
  const edges = nodes.slice(1).map((node, at) => {
    return { id: `e${at}`, source: nodes[at]?.id ?? '', sourceHandle: 'out', target: node.id }
  })
  return { nodes, edges }
}

const one = gives(() => 1)

// Measures durations, which a busy machine stretches.
test('a run of 20 nodes is planned in far less than a millisecond', { retry: 2 }, () => {
  const graph = compileGraph(chain(20), TEST_NODE_TYPES)
  const run = () => expect(execute(startGraphRun(graph, START), () => one).ran).toHaveLength(19)
  expect(best(200, run)).toBeLessThan(1)
})

// Measures durations, which a busy machine stretches.
test('a Loop of 1,000 iterations takes a few milliseconds', { retry: 2 }, () => {
  const graph = compileSketch('t→l, l.body→a(l)→b(l), l.done→z')
  const run = () => {
    const { plan } = execute(startGraphRun(graph, START, { ceiling: 1_000 }), (id) =>
      id === 'l' ? () => ({ status: 'repeat', range: { mode: 'count', count: 1_000 } }) : one,
    )
    expect(plan.output).toBe(1)
  }
  expect(best(10, run)).toBeLessThan(50)
})

test('1,000 iterations without nodes end without a stack of 1,000 calls', () => {
  const run = startGraphRun(compileSketch('t→l'), START, { ceiling: 1_000 })
  const { plan } = execute(run, () => () => ({ status: 'repeat', range: { mode: 'count', count: 1_000 } }))
  expect(plan.output).toHaveLength(1_000)
})

test('the largest graph is compiled and run in seconds, even if all of it is skipped', () => {
  const graph = chain(10_000)
  const compiled = compileGraph(graph, TEST_NODE_TYPES)
  expect(execute(startGraphRun(compiled, START), () => one).ran).toHaveLength(9_999)
  const dead = execute(startGraphRun(compiled, START), () => () => ({
    status: 'completed',
    output: 1,
    handles: [],
  }))
  expect(dead.ran).toEqual(['n1'])
})
