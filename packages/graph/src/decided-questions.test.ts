import { expect, test } from 'vitest'
import { compileGraph } from './compile/compile-graph.ts'
import { resolveText, resolveValue } from './interpolation/resolve.ts'
import { applyResult, takeReady } from './run/apply-result.ts'
import { planRun } from './run/plan-run.ts'
import { scopeAt } from './run/run-scope.ts'
import type { RunStart } from './run/run-start.ts'
import { startGraphRun } from './run/start-graph-run.ts'
import { type Behaviour, execute, gives } from './testing/execute.ts'
import { TEST_NODE_TYPES } from './testing/node-types.ts'
import { compileSketch, parseSketch } from './testing/parse-sketch.ts'
import { validateGraph } from './validation/validate-graph.ts'

// Questions that the contract leaves open, each with its decided answer.

const api: RunStart = { kind: 'api', input: {} }
const named = (id: string) => gives(() => id)
const goes = (handle: string): Behaviour => {
  return () => ({ status: 'completed', output: handle, handles: [handle] })
}
const repeats = (count: number): Behaviour => {
  return () => ({ status: 'repeat', range: { mode: 'count', count } })
}
function run(sketch: string, nodes: Record<string, Behaviour> = {}, start = api, ceiling = 100) {
  return execute(startGraphRun(compileSketch(sketch), start, { ceiling }), (id) => nodes[id] ?? named(id))
}

test('of several triggers, those that match the start run, and the others are skipped', () => {
  expect(run('t→a, f→b, r→c').ran).toEqual(['a'])
  expect(run('t→a, f→b, r→c', {}, { kind: 'webhook', body: {} }).ran).toEqual(['a'])
  expect(run('t→a, f→b, r→c', {}, { kind: 'form', values: {} }).ran).toEqual(['b'])
  expect(run('t→a, f→b, r→c', {}, { kind: 'schedule', nodeId: 'r' }).ran).toEqual(['c'])
})

test('when no trigger matches the start, all of them start', () => {
  expect(run('f→b, r→c').ran).toEqual(['b', 'c'])
})

test('a node without incoming edges, or in a cycle, fails the run before its first node', () => {
  const { plan, ran } = run('t→a, o→o2, b→c, c→b')
  expect(ran).toEqual([])
  expect(plan).toMatchObject({
    status: 'failed',
    error: 'Nodes never became reachable: o, o2 (no path from a trigger); b, c (cycle: b -> c -> b)',
  })
})

test('a trigger without a successor ends a path: its output counts', () => {
  expect(run('t→a, f', {}, { kind: 'form', values: { x: 1 } }).plan.output).toEqual({ body: { x: 1 } })
})

test('a chosen handle without an edge contributes nothing to the output', () => {
  expect(run('t→i, i.true→a, t→b', { i: goes('false') }).plan.output).toBe('b')
})

test('all nodes that failed concurrently are named in the error', () => {
  const state = startGraphRun(compileSketch('t→a, t→b'), api)
  const places = [takeReady(state)!, takeReady(state)!]
  for (const place of places) applyResult(state, place, { status: 'failed', message: `no ${place.nodeId}` })
  expect(planRun(state).error).toBe('Node a ("A") failed: no a; Node b ("B") failed: no b')
})

test('upstream means earlier nodes, never a parallel branch that happens to have ended', () => {
  const seen: unknown[] = []
  run('t→a, t→b→c', {
    c: ({ upstream }) => {
      seen.push(upstream('a'), upstream('b'))
      return { status: 'completed', output: null }
    },
  })
  expect(seen).toEqual([
    { ok: false, reason: 'a does not come before c' },
    { ok: true, value: 'b' },
  ])
})

test('an invalid token does not prevent publishing: the builder shows it, and the run fails', () => {
  const graph = parseSketch('t→a')
  graph.nodes[1]!.config = { value: '{{ upstream.ghost.output }} {{ trigger..x }}' }
  const { problems } = validateGraph(graph, TEST_NODE_TYPES)
  expect(problems.map(({ severity }) => severity)).toEqual(['error', 'error'])
  const state = startGraphRun(compileGraph(graph, TEST_NODE_TYPES), api)
  expect(resolveText(String(graph.nodes[1]?.config.value), scopeAt(state, takeReady(state)!))).toEqual({
    ok: false,
    error: 'could not resolve {{ upstream.ghost.output }}: there is no step ghost',
  })
})

test('exactly as many iterations as the ceiling complete; one more stops the run with the array so far', () => {
  const body = { b: gives(({ loop }) => loop?.index) }
  const sketch = 't→l, l.body→b(l)'
  expect(run(sketch, { ...body, l: repeats(3) }, api, 3).plan).toMatchObject({
    status: 'completed',
    output: [0, 1, 2],
  })
  expect(run(sketch, { ...body, l: repeats(4) }, api, 3).plan).toMatchObject({
    status: 'loop_limit_reached',
    output: [0, 1, 2],
    error: null,
  })
})

test('the ceiling counts each activation of a nested Loop, and a hit gives the array of the outermost one', () => {
  const sketch = 't→l, l.body→m(l), m.body→b(m), l.done→z'
  const body = { b: gives(({ loop }) => loop?.index), l: repeats(2) }
  expect(
    run(sketch, { ...body, m: repeats(2), z: gives(({ upstream }) => upstream('l')) }, api, 2).plan,
  ).toMatchObject({
    status: 'completed',
    output: {
      ok: true,
      value: [
        [0, 1],
        [0, 1],
      ],
    },
  })
  expect(run(sketch, { ...body, m: repeats(3) }, api, 2).plan).toMatchObject({
    status: 'loop_limit_reached',
    output: [[0, 1]],
  })
})

test('a run awaits approval only while nothing else can run', () => {
  const state = startGraphRun(compileSketch('t→a, t→b→c'), api)
  const review = takeReady(state)!
  applyResult(state, review, { status: 'waiting' })
  expect(planRun(state).status).toBe('running')
  for (const _ of ['b', 'c']) {
    expect(planRun(state).status).toBe('running')
    applyResult(state, takeReady(state)!, { status: 'completed', output: null })
  }
  expect(planRun(state).status).toBe('awaiting_approval')
})

test('a review that was rejected without an edge fails the run with its own sentence', () => {
  const state = startGraphRun(compileSketch('t→w'), api)
  const review = takeReady(state)!
  applyResult(state, review, { status: 'waiting' })
  const sentence = 'Review w ("W") was rejected by Ana: too much'
  applyResult(state, review, { status: 'failed', message: 'rejected', sentence })
  expect(planRun(state)).toMatchObject({ status: 'failed', error: sentence })
})

test('null and objects inside text become JSON; on their own they keep their type, even with white space around them', () => {
  const scope = scopeAt(
    startGraphRun(compileSketch('t→a'), { kind: 'api', input: { z: null, o: { a: 1 } } }),
    {
      path: '',
      nodeId: 'a',
      iteration: null,
    },
  )
  expect(resolveValue('{{ trigger.z }}/{{ trigger.o }}', scope)).toEqual({ ok: true, value: 'null/{"a":1}' })
  expect(resolveValue(' \n{{ trigger.z }}\t', scope)).toEqual({ ok: true, value: null })
  expect(resolveValue('  {{ trigger.o }} ', scope)).toEqual({ ok: true, value: { a: 1 } })
  expect(resolveValue('\\{{ trigger.o }}', scope)).toEqual({ ok: true, value: '{{ trigger.o }}' })
})

test('the trigger of a webhook run is only its body', () => {
  expect(startGraphRun(compileSketch('t→a'), { kind: 'webhook', body: { n: 1 } }).trigger).toEqual({
    body: { n: 1 },
  })
})

test('a form that passes its own checks may still fail the declaration of the HTTP trigger', () => {
  const graph = parseSketch('t→a, f→a')
  graph.nodes[0]!.config = { fields: [{ name: 'orderId', type: 'string', required: true }] }
  const compiled = compileGraph(graph, TEST_NODE_TYPES)
  expect(planRun(startGraphRun(compiled, { kind: 'form', values: { name: 'Ann' } }))).toMatchObject({
    status: 'failed',
    error: 'Payload does not match the HTTP Request trigger: "orderId" is required',
  })
})
