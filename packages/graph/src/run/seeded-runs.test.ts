import { newId, WorkflowRunId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import type { CompiledGraph } from '../compile/compiled-graph.ts'
import { type Behaviour, execute } from '../testing/execute.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { parseSketch } from '../testing/parse-sketch.ts'
import { planRun, takeChanges } from './plan-run.ts'
import { planTest } from './plan-test.ts'
import { startGraphRun } from './start-graph-run.ts'
import type { Seed, TestScope } from './test-run.ts'

const SOURCE_RUN = newId(WorkflowRunId)

/** The graph of a sketch; the named nodes have effects, all others are pure. */
function graphOf(sketch: string, effects: string): CompiledGraph {
  const graph = parseSketch(sketch)
  for (const node of graph.nodes) if (effects.includes(node.id)) node.type = 'ai-agent'
  return compileGraph(graph, TEST_NODE_TYPES)
}

const START = { kind: 'builder', nodeId: null, payload: { from: 'start' } } as const
const seed = (nodeId: string, more: Partial<Seed> = {}): Seed => ({
  ...{ nodeId, path: '', output: `stored ${nodeId}`, handles: null, variables: null, iterations: null },
  ...{ origin: 'run' as const, fromRunId: SOURCE_RUN },
  ...more,
})
const scope = (
  kind: TestScope['kind'],
  nodeId: string | null = null,
  path: string | null = null,
): TestScope => {
  return { kind, nodeId, path }
}

/** Each node returns its id; Loops repeat three times, an If / Else takes `branch`. */
function run(graph: CompiledGraph, of: TestScope, seeds: Seed[], branch = 'true') {
  const state = startGraphRun(graph, START, { test: { scope: of, seeds } })
  const behave =
    (id: string): Behaviour =>
    (_, { iteration }) => {
      if (iteration !== null) return { status: 'condition', holds: iteration < 3 }
      const node = graph.nodes.get(id)
      if (node?.role === 'loop') return { status: 'repeat', range: { mode: 'list', items: ['x', 'y', 'z'] } }
      return { status: 'completed', output: id, handles: node?.type === 'if-else' ? [branch] : ['out'] }
    }
  const { ran } = execute(state, behave)
  const seeded = takeChanges(state).flatMap((change) =>
    change.kind === 'node' && change.status === 'completed' && change.isSeeded ? change.nodeId : [],
  )
  const { status, output, error } = planRun(state)
  return { ran, seeded, status, output, error }
}

test('a seed after an executed step is taken when the step becomes ready, without its effect', () => {
  const graph = graphOf('t→a→b→c', 'abc')
  const pin = seed('b', { origin: 'pin', path: null })
  expect(run(graph, scope('all'), [pin])).toMatchObject({ ran: ['a', 'c'], seeded: ['b'], output: 'c' })
})

test('only one step runs: effects before it are seeded, pure steps are computed again, other branches do not run', () => {
  const graph = graphOf('t→a→p→x→y, t→q, p→r', 'axyqr')
  const seeds = [seed('a'), seed('p'), seed('x'), seed('y')]
  expect(run(graph, scope('only', 'x'), seeds)).toMatchObject({ ran: ['p', 'x'], seeded: ['a'], output: 'x' })
  expect(run(graph, scope('until', 'x'), seeds).ran).toEqual(['a', 'p', 'x'])
  expect(run(graph, scope('from', 'x'), seeds).ran).toEqual(['p', 'x', 'y'])
  expect(planTest(graph, scope('from', 'x'), seeds).effects).toEqual([
    { nodeId: 'x', iterations: 'every', certain: true, again: true },
    { nodeId: 'y', iterations: 'every', certain: true, again: true },
  ])
})

test('the inputs of a join are seeded; a parallel branch without a seed does not run', () => {
  const graph = graphOf('t→x→j, t→a→j, t→b', 'xab')
  const of = scope('from', 'x')
  expect(run(graph, of, [seed('a')])).toMatchObject({ ran: ['x', 'j'], seeded: ['a'] })
  expect(planTest(graph, of, []).missing).toMatchObject([
    { nodeId: 'a', reason: { kind: 'no_result' }, certain: true },
  ])
  expect(run(graph, of, [])).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^Node a .*no stored result/),
  })
})

test('a result with a removed handle fails its step, instead of skipping everything after it', () => {
  const graph = graphOf('t→i, i.true→x', 'x')
  const gone = seed('i', { origin: 'pin', handles: ['urgent'] })
  expect(run(graph, scope('only', 'x'), [gone])).toMatchObject({
    ...{ ran: [], status: 'failed' },
    error: 'Node i ("I") failed: its stored result takes "urgent", which this step does not have',
  })
  const { missing, uses } = planTest(graph, scope('only', 'x'), [gone])
  expect(missing).toMatchObject([{ nodeId: 'i', reason: { kind: 'handle', handles: ['urgent'] } }])
  expect(uses).toEqual([gone])
  const silent = seed('i', { origin: 'pin' })
  expect(run(graph, scope('only', 'x'), [silent]).error).toMatch(/does not say which branch/)
})

test('a step behind another handle is not reached, and the plan offers the handle that leads there', () => {
  const graph = graphOf('t→a→i, i.true→x, i.false→y', 'axy')
  const pin = seed('i', { origin: 'pin', handles: ['false'] })
  const plan = planTest(graph, scope('only', 'x'), [seed('a'), pin])
  expect(plan.unreached).toEqual([
    {
      nodeId: 'x',
      iterations: 'every',
      because: { kind: 'handles', nodeId: 'i', taken: ['false'], ways: ['true'] },
    },
  ])
  const forced = seed('i', { origin: 'typed', handles: ['true'], fromRunId: null })
  const way = planTest(graph, scope('only', 'x'), [seed('a'), pin, forced].toReversed())
  expect(way).toMatchObject({ unreached: [], forced: [{ nodeId: 'i', handles: ['true'] }] })
  expect(run(graph, scope('only', 'x'), [seed('a'), forced]).ran).toEqual(['x'])
  expect(run(graph, scope('only', 'x'), [seed('a')], 'false')).toMatchObject({
    status: 'failed',
    error: 'The step x ("X"), which this test is for, was not reached: step i took "false".',
  })
})

test('a step in an iteration runs after the stored ones, and a Loop without it fails', () => {
  const graph = graphOf('t→l, l.body→a(l)→x(l), l.done→z', 'axz')
  const first = seed('l', { iterations: ['one', 'two'], output: null, variables: { v: 2 } })
  const stored = [first, seed('a', { path: 'l[2]' })]
  expect(run(graph, scope('only', 'x', 'l[2]'), stored)).toMatchObject({
    ...{ ran: ['l', 'x#2'], seeded: ['a'], output: ['one', 'two', 'x'] },
  })
  expect(run(graph, scope('from', 'x', 'l[2]'), stored).ran).toEqual(['l', 'x#2', 'z'])
  expect(run(graph, scope('until', 'x', 'l[1]'), []).ran).toEqual(['l', 'a#0', 'x#0', 'a#1', 'x#1'])
  const wrong = run(graph, scope('only', 'x', 'l[1]'), stored)
  expect(wrong.error).toMatch(/its first 1 iterations, and has 2/)
  const beyond = seed('l', { iterations: ['1', '2', '3', '4'], output: null })
  expect(run(graph, scope('only', 'x', 'l[4]'), [beyond]).error).toMatch(
    /ended before its iteration 4 \(from 0\)/,
  )
  expect(run(graph, scope('only', 'x', 'm[0]'), []).error).toBe(
    'The step x of this test is in no iteration "m[0]".',
  )
})

test('the seed of a trigger starts the run with its value, for any trigger of the source', () => {
  const graph = graphOf('t→a, r→b', 'ab')
  const fired = seed('r', { output: { body: { n: 1 } } })
  expect(run(graph, scope('all'), [fired])).toMatchObject({ ran: ['b'], seeded: ['r'] })
  expect(planTest(graph, scope('all'), [fired]).triggerId).toBe('r')
  // Without a named trigger, the one that leads to the step starts the run.
  expect(run(graph, scope('until', 'b'), []).ran).toEqual(['b'])
  expect(planTest(graph, scope('until', 'b'), []).triggerId).toBe('r')
})

test('unconnected steps and declared fields outside the scope fail no test', () => {
  const sketch = parseSketch('t→a→b, o→p')
  sketch.nodes[0]!.config = { fields: [{ name: 'orderId', type: 'string', required: true }] }
  const graph = compileGraph(sketch, TEST_NODE_TYPES)
  expect(run(graph, scope('only', 'b'), [])).toMatchObject({ ran: ['a', 'b'], status: 'completed' })
  expect(run(graph, scope('until', 'b'), []).error).toMatch(/"orderId" is required/)
  expect(planTest(graph, scope('until', 'b'), []).fault).toBeNull()
  const loose = 'Nodes never became reachable: o, p (no path from a trigger)'
  expect(planTest(graph, scope('all'), []).fault).toBe(loose)
  expect(run(graph, scope('only', 'p'), [])).toMatchObject({ ran: [], status: 'failed', error: loose })
  expect(planTest(graph, scope('only', 'gone'), []).fault).toBe('The step gone of this test does not exist.')
})

test('a seeded result counts towards the limits of a run', () => {
  const graph = graphOf('t→a→x', 'ax')
  const big = seed('a', { output: 'x'.repeat(4 * 1024 * 1024) })
  expect(run(graph, scope('only', 'x'), [big])).toMatchObject({
    ran: [],
    status: 'failed',
    error: expect.stringMatching(/^Node a .*4 MB/),
  })
})
