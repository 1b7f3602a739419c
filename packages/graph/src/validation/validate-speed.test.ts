import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import type { Graph, GraphNode } from '../model/graph.ts'
import { planRun } from '../run/plan-run.ts'
import { startGraphRun } from '../run/start-graph-run.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { validateGraph } from './validate-graph.ts'

/**
 * Maximum slowdown of a large graph compared with several small ones of the same total size, for cache misses.
 * Quadratic work would be ten times as slow.
 */
const SLOWER = 4
const SMALL = 1_000
const LARGE = 10_000

const node = (id: string, type: string, at: number, config: Record<string, unknown>): GraphNode => ({
  id,
  type,
  name: id,
  parentId: null,
  position: { x: at % 100, y: Math.floor(at / 100) },
  config,
})
const edge = (source: string, target: string, sourceHandle = 'out') => {
  return { id: `${source}-${sourceHandle}-${target}`, source, sourceHandle, target }
}

/** Each node reads the previous one and is joined with the one before that; every fifth is a choice. */
function woven(count: number): Graph {
  const isChoice = (at: number) => at > 0 && at % 5 === 0
  const id = (at: number) => (at === 0 ? 't' : `n${at}`)
  const nodes = Array.from({ length: count }, (_, at) => {
    const type = at === 0 ? 'http-request' : isChoice(at) ? 'if-else' : 'edit-fields'
    return node(id(at), type, at, at < 2 ? {} : { value: `{{ upstream.${id(at - 1)}.output.value }}` })
  })
  const edges = nodes.slice(1).flatMap((_, before) => {
    const target = id(before + 1)
    if (isChoice(before)) return [edge(id(before), target, 'true'), edge(id(before), target, 'false')]
    if (before === 0) return [edge('t', target)]
    return [edge(id(before), target), edge(id(before - 1), target, isChoice(before - 1) ? 'true' : 'out')]
  })
  return { nodes, edges }
}

function milliseconds(work: () => void): number {
  const before = performance.now()
  work()
  return performance.now() - before
}

/** Compares a large graph with ten small ones, alternating, by the minimum of each: the machine may be busy. */
function expectLinear(work: (size: number) => () => void): void {
  const [small, large] = [work(SMALL), work(LARGE)]
  const tries = Array.from({ length: 3 }, () => ({
    tenSmall: milliseconds(() => {
      for (let at = 0; at < LARGE / SMALL; at++) small()
    }),
    oneLarge: milliseconds(large),
  }))
  const tenSmall = Math.min(...tries.map((one) => one.tenSmall))
  const oneLarge = Math.min(...tries.map((one) => one.oneLarge))
  expect(oneLarge / tenSmall).toBeLessThan(SLOWER)
}

// Compares durations, which a busy machine stretches.
test('a graph of 10,000 nodes and 20,000 edges is checked about as fast as ten of 1,000 nodes', {
  retry: 2,
}, () => {
  expect(woven(LARGE).edges.length).toBeGreaterThan(19_000)
  expectLinear((size) => {
    const graph = woven(size)
    return () => expect(validateGraph(graph, TEST_NODE_TYPES).problems).toEqual([])
  })
})

// Compares durations, which a busy machine stretches.
test('a large graph is compiled and its run started in linear time', { retry: 2 }, () => {
  expectLinear((size) => {
    const graph = woven(size)
    return () => {
      const compiled = compileGraph(graph, TEST_NODE_TYPES)
      expect(compiled.unreachable).toEqual([])
      expect(planRun(startGraphRun(compiled, { kind: 'api', input: {} })).start).toHaveLength(1)
    }
  })
})

/** A step that reads as many missing fields as the graph has nodes; names are padded to `length`. */
function readsMissing(
  trigger: 'form-trigger' | 'http-request',
  reads: number,
  fields: number,
  length: number,
): Graph {
  const names = Array.from({ length: fields }, (_, at) => `${at}`.padStart(length, 'a'))
  const tokens = Array.from({ length: reads }, (_, at) => `{{ trigger.body.${`${at}`.padStart(64, 'b')} }}`)
  const declared = names.map((name) => ({ name, type: 'string', required: false }))
  const config = trigger === 'form-trigger' ? { answers: names } : { fields: declared }
  const nodes = [node('t', trigger, 0, config), node('n1', 'edit-fields', 1, { value: tokens.join('') })]
  return { nodes, edges: [edge('t', 'n1')] }
}

// Compares durations, which a busy machine stretches.
test.for([
  ['form-trigger', 'of the same length as its fields, which are compared', 200, 64],
  ['http-request', 'of the same length as its fields, which are compared', 200, 64],
  ['form-trigger', 'of another length than its many fields', 1, 10],
  ['http-request', 'of another length than its many fields', 1, 10],
] as const)('tokens that a %s does not provide, %s, are checked in linear time', {
  retry: 2,
}, ([trigger, , readsPerField, length]) => {
  expectLinear((size) => {
    const graph = readsMissing(trigger, size, size / readsPerField, length)
    const found = trigger === 'form-trigger' ? size : 0
    return () => expect(validateGraph(graph, TEST_NODE_TYPES).problems).toHaveLength(found)
  })
})
