import { jsonBytes } from '@troupe/contract'
import { expect, test } from 'vitest'
import { execute, gives } from '../testing/execute.ts'
import { compileSketch } from '../testing/parse-sketch.ts'
import { recordRun } from '../testing/record-run.ts'
import { applyResult, takeReady } from './apply-result.ts'
import { closeRun } from './outcome.ts'
import { planRun, takeChanges } from './plan-run.ts'
import { replayGraphRun } from './replay-graph-run.ts'
import { scopeAt } from './run-scope.ts'
import type { RunStart } from './run-start.ts'
import { startGraphRun } from './start-graph-run.ts'

const START: RunStart = { kind: 'api', input: {} }
const begin = (sketch: string, ceiling = 100) => startGraphRun(compileSketch(sketch), START, { ceiling })
const takeAll = (run: ReturnType<typeof begin>) => {
  for (let next = takeReady(run); next; next = takeReady(run));
}
const root = (nodeId: string) => ({ path: '', nodeId })
const done = (output: unknown) => ({ status: 'completed', output }) as const

test('after a failure nothing starts, running nodes are aborted, and the error names every failed node', () => {
  const run = begin('t→a→z, t→b, t→c')
  takeAll(run)
  applyResult(run, root('b'), { status: 'failed', message: 'no' })
  expect(planRun(run)).toMatchObject({ status: 'running', start: [], abort: true, error: null })
  applyResult(run, root('a'), done(1))
  expect(takeReady(run)).toBe(null)
  applyResult(run, root('c'), { status: 'failed', message: 'm'.repeat(2_000) })
  const { status, output, error, abort } = planRun(run)
  expect({ status, output, abort }).toEqual({ status: 'failed', output: null, abort: false })
  expect(error).toBe(`Node b ("B") failed: no; Node c ("C") failed: ${'m'.repeat(999)}…`)
})

test('an aborted node is not a separate failure', () => {
  const run = begin('t→a, t→b')
  takeAll(run)
  applyResult(run, root('a'), { status: 'failed', message: 'no' })
  applyResult(run, root('b'), { status: 'aborted' })
  expect(planRun(run)).toMatchObject({ status: 'failed', error: 'Node a ("A") failed: no' })
})

test('a closing run ends without late answers, which change nothing', () => {
  const run = begin('t→a, t→b')
  takeAll(run)
  closeRun(run)
  expect(planRun(run).status).toBe('running')
  applyResult(run, root('a'), { status: 'failed', message: 'no' })
  closeRun(run)
  expect(planRun(run)).toMatchObject({ status: 'failed', running: [] })
  applyResult(run, root('b'), done(1))
  expect(planRun(run)).toMatchObject({ status: 'failed', error: 'Node a ("A") failed: no' })
})

test('a failure in a Loop names the iteration, and a custom sentence is unchanged', () => {
  const run = begin('t→l, l.body→b(l)')
  execute(run, (id) => (_, { path }) => {
    if (id === 'l') return { status: 'repeat', range: { mode: 'count', count: 9 } }
    return path === 'l[3]' ? { status: 'failed', message: 'down' } : done(1)
  })
  expect(planRun(run).error).toBe('Node b ("B") in l[3] failed: down')

  const review = begin('t→a')
  execute(review, () => () => ({
    status: 'failed',
    message: 'x',
    sentence: 'Review a ("A") was rejected by Ana',
  }))
  expect(planRun(review).error).toBe('Review a ("A") was rejected by Ana')
})

test('a run awaits approval only if nothing else can continue, and continues with the decision', () => {
  const run = begin('t→a→j, t→b→j')
  takeAll(run)
  applyResult(run, root('a'), { status: 'waiting' })
  expect(planRun(run).status).toBe('running')
  applyResult(run, root('b'), done('b'))
  expect(planRun(run).status).toBe('awaiting_approval')
  const resumed = replayGraphRun(run.graph, START, JSON.parse(JSON.stringify(recordRun(run))))
  expect(planRun(resumed).status).toBe('awaiting_approval')
  applyResult(resumed, root('a'), done('yes'))
  expect(planRun(resumed)).toMatchObject({ status: 'running', start: [{ path: '', nodeId: 'j' }] })
})

test('a failure beside an open review ends the run immediately', () => {
  const run = begin('t→a, t→b')
  takeAll(run)
  applyResult(run, root('a'), { status: 'waiting' })
  applyResult(run, root('b'), { status: 'failed', message: 'no' })
  expect(planRun(run).status).toBe('failed')
})

test('at the ceiling, nodes beside the Loop are aborted; ended ones still count', () => {
  const run = begin('t→l, l.body→b(l), l.done→z, t→a, t→c, t→d→e', 2)
  const start = (nodeId: string) => takeReady(run, (node) => node.id === nodeId)!
  for (const nodeId of ['a', 'c', 'd']) start(nodeId)
  applyResult(run, start('l'), { status: 'repeat', range: { mode: 'list', items: ['x', 'y', 'z'] } })
  applyResult(run, start('b'), done('X'))
  applyResult(run, start('b'), done('Y'))
  expect(planRun(run)).toMatchObject({ status: 'running', abort: true, start: [] })
  applyResult(run, root('a'), done('A'))
  applyResult(run, root('c'), { status: 'failed', message: 'aborted by its provider' })
  applyResult(run, root('d'), { status: 'aborted' })
  expect(planRun(run)).toMatchObject({
    status: 'loop_limit_reached',
    output: { l: ['X', 'Y'], a: 'A' },
    error: null,
  })
})

test('exactly as many iterations as the ceiling do not hit it', () => {
  const run = begin('t→l, l.body→b(l)', 3)
  let asked = 0
  const { plan } = execute(run, (id) => ({ loop }, { iteration }) => {
    if (iteration !== null) asked += 1
    if (iteration !== null) return { status: 'condition', holds: Number(loop?.index) < 3 }
    return id === 'l' ? { status: 'repeat', range: { mode: 'while' } } : done(loop?.item)
  })
  expect(plan).toMatchObject({ status: 'completed', output: [0, 1, 2] })
  expect(asked).toBe(4)
})

test('a condition that still holds after the last allowed iteration hits the ceiling', () => {
  const { plan, ran } = execute(begin('t→l, l.body→b(l)', 2), (id) => ({ loop }, { iteration }) => {
    if (iteration !== null) return { status: 'condition', holds: true }
    return id === 'l' ? { status: 'repeat', range: { mode: 'while' } } : done(loop?.item)
  })
  expect(plan).toMatchObject({ status: 'loop_limit_reached', output: [0, 1] })
  expect(ran).toEqual(['l', 'b#0', 'b#1'])
})

test('the ceiling counts per activation of a Loop', () => {
  const { plan } = execute(begin('t→l, l.body→m(l), m.body→b(m)', 2), (id) =>
    id === 'b'
      ? gives(({ loop }) => loop?.index)
      : () => ({ status: 'repeat', range: { mode: 'count', count: 2 } }),
  )
  expect(plan).toMatchObject({
    status: 'completed',
    output: [
      [0, 1],
      [0, 1],
    ],
  })
})

test('a partial inner array is part of the output of its iteration', () => {
  const { plan } = execute(begin('t→l, l.body→b(l), l.body→m(l), m.body→c(m), m.done→d(l)', 2), (id) => {
    if (id === 'l') return () => ({ status: 'repeat', range: { mode: 'count', count: 2 } })
    if (id === 'm')
      return ({ loop }) => ({ status: 'repeat', range: { mode: 'count', count: 2 + Number(loop?.index) } })
    return gives(({ loop }) => `${id}${loop?.index}`)
  })
  expect(plan).toMatchObject({
    status: 'loop_limit_reached',
    output: [
      { b: 'b0', d: 'd0' },
      { b: 'b1', m: ['c0', 'c1'] },
    ],
  })
})

test.for([
  [0, 1],
  [5_000, 1_000],
  [Number.NaN, 100],
  [2.9, 2],
])('a ceiling of %d is %d', ([given, ceiling]) => {
  expect(begin('t', given).ceiling).toBe(ceiling)
})

const MB = 1024 * 1024
const text = (bytes: number) => 'x'.repeat(bytes - 2)
const looping = (count: number, output: unknown) => (id: string) => () =>
  id === 'l' || id === 'm' ? ({ status: 'repeat', range: { mode: 'count', count } } as const) : done(output)

test('an output that is too large fails its node, naming the size and the limit', () => {
  const within = begin('t→a')
  expect(execute(within, () => () => done(text(4 * MB))).plan.status).toBe('completed')
  const run = begin('t→a→b')
  expect(execute(run, () => () => done(text(4 * MB + 1))).plan).toMatchObject({
    status: 'failed',
    error: 'Node a ("A") failed: the output is 4.1 MB, more than the 4 MB of a node',
  })
})

test('a Loop fails if its array would be too large, without the iteration that exceeds the limit', () => {
  const run = begin('t→l, l.body→b(l), l.done→z')
  expect(execute(run, looping(9, text(MB))).plan).toMatchObject({
    status: 'failed',
    error: 'Node l ("L") failed: the output is 4.1 MB, more than the 4 MB of a node',
  })
  const kept = takeChanges(run).filter(({ kind }) => kind === 'iteration')
  expect(kept).toHaveLength(3)
  expect(run.storedBytes).toBe(jsonBytes({}) + (4 + 3) * MB)
  // Three of 1 MB, a comma each and brackets: one of 1 MB less that fits.
  const fits = begin('t→l, l.body→b(l)')
  const output = text((4 * MB - 2 - 3) / 4 - ((4 * MB - 2 - 3) % 4) / 4)
  expect(execute(fits, looping(4, output)).plan.status).toBe('completed')
})

test('a Loop that hits the ceiling with an array that is too large for its enclosing Loop fails that one', () => {
  const run = begin('t→l, l.body→m(l), m.body→b(m)', 3)
  const { plan } = execute(run, (id) => (_, { path }) => {
    if (id === 'l') return { status: 'repeat', range: { mode: 'count', count: 2 } }
    if (id === 'm') return { status: 'repeat', range: { mode: 'count', count: path === 'l[0]' ? 3 : 4 } }
    return done(text(MB))
  })
  const error = 'Node l ("L") failed: the output is 6.1 MB, more than the 4 MB of a node'
  expect(plan).toMatchObject({ status: 'failed', output: null, error })
})

test('the outputs of a run are counted once: those of nodes, and those of iterations for their Loop', () => {
  const run = begin('t→l, l.body→m(l), m.body→b(m)')
  execute(run, looping(2, 'x'))
  const array = ['x', 'x']
  expect(planRun(run).output).toEqual([array, array])
  expect(run.storedBytes).toBe(jsonBytes({}) + 2 * 4 * jsonBytes('x') + 2 * jsonBytes(array))
  const record = JSON.parse(JSON.stringify(recordRun(run)))
  expect(replayGraphRun(run.graph, START, record).storedBytes).toBe(run.storedBytes)
  const sketch = Array.from({ length: 14 }, (_, i) => `t→n${i}`).join(', ')
  const { plan } = execute(begin(sketch), () => () => done(text(3.9 * MB)))
  expect(plan.error).toMatch(
    /^Node n\d+ \("N\d+"\) failed: the outputs of the run are 50\.7 MB with this one, more than the 50 MB of a run$/,
  )
})

test('a result for a node that does not run is a defect', () => {
  const run = begin('t→a→b')
  expect(() => applyResult(run, root('b'), done(1))).toThrow(RangeError)
  expect(() => applyResult(run, { path: 'l[0]', nodeId: 'b' }, done(1))).toThrow(RangeError)
  const next = takeReady(run)!
  expect(() => applyResult(run, next, { status: 'condition', holds: true })).toThrow(RangeError)
})

test('changes report events in order, once', () => {
  const run = begin('t→l, l.body→b(l)')
  takeChanges(run)
  execute(
    run,
    (id) => () => (id === 'l' ? { status: 'repeat', range: { mode: 'list', items: [1] } } : done('B')),
  )
  expect(takeChanges(run)).toEqual([
    { kind: 'node', path: '', nodeId: 'l', status: 'running' },
    { kind: 'node', path: 'l[0]', nodeId: 'b', status: 'ready' },
    { kind: 'node', path: 'l[0]', nodeId: 'b', status: 'running' },
    { kind: 'node', path: 'l[0]', nodeId: 'b', status: 'completed', output: 'B', handles: ['out'], bytes: 3 },
    { kind: 'iteration', path: '', nodeId: 'l', index: 0, output: 'B', bytes: 3 },
    { kind: 'node', path: '', nodeId: 'l', status: 'completed', output: ['B'], handles: ['done'], bytes: 0 },
  ])
  expect(takeChanges(run)).toEqual([])
})

test('a run that is resumed while closing ends with everything that was stored', () => {
  const run = begin('t→l, l.body→b(l), t→a, t→c', 2)
  const start = (nodeId: string) => takeReady(run, (node) => node.id === nodeId)!
  for (const nodeId of ['a', 'c']) start(nodeId)
  applyResult(run, start('l'), { status: 'repeat', range: { mode: 'count', count: 3 } })
  applyResult(run, root('a'), done('A'))
  for (const output of ['X', 'Y']) applyResult(run, start('b'), done(output))
  const record = JSON.parse(JSON.stringify(recordRun(run)))
  const outcome = { status: 'loop_limit_reached', output: { l: ['X', 'Y'], a: 'A' }, error: null }
  expect(planRun(replayGraphRun(run.graph, START, record, { ceiling: 2 }))).toMatchObject(outcome)
  closeRun(run)
  expect(planRun(run)).toMatchObject(outcome)
})

test('a completed Loop may be stored without its output, which consists of its iterations', () => {
  const graph = compileSketch('t→l, l.body→b(l), l.done→z')
  const iterations = [1, 2].map((output, index) => ({ path: '', nodeId: 'l', index, output }))
  const run = replayGraphRun(graph, START, {
    storedBytes: 2,
    variables: { v: 1 },
    nodes: [{ path: '', nodeId: 'l', status: 'completed' }],
    iterations,
  })
  expect(scopeAt(run, takeReady(run)!).upstream('l')).toEqual({ ok: true, value: [1, 2] })
  expect(run.variables.get('v')).toBe(1)
})
