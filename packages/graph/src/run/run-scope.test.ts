import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import { resolveValue } from '../interpolation/resolve.ts'
import { execute, gives } from '../testing/execute.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { compileSketch, parseSketch } from '../testing/parse-sketch.ts'
import { applyResult, takeReady } from './apply-result.ts'
import { scopeAt } from './run-scope.ts'
import { startGraphRun } from './start-graph-run.ts'

const begin = (sketch: string) => startGraphRun(compileSketch(sketch), { kind: 'api', input: { q: 1 } })

/** The value of a token at a node, where every other node returns its own id. */
function at(sketch: string, asked: string, token: string, branch = 'true'): unknown {
  const seen: unknown[] = []
  execute(begin(sketch), (id) => (scope, { iteration }) => {
    if (id === asked) {
      const resolved = resolveValue(token, scope)
      seen.push(resolved.ok ? resolved.value : resolved.error)
    }
    if (iteration !== null) return { status: 'condition', holds: iteration < 2 }
    if (id === 'l') return { status: 'repeat', range: { mode: 'list', items: ['x', 'y'] } }
    if (id === 'm') return { status: 'repeat', range: { mode: 'while' } }
    return { status: 'completed', output: id, handles: id === 'i' ? [branch] : ['out'] }
  })
  return seen.length === 1 ? seen[0] : seen
}

test('a node sees earlier nodes', () => {
  expect(at('t→a→b→c', 'c', '{{ upstream.a.output }}')).toBe('a')
  expect(at('t→a→b→c', 'c', '{{ upstream.t.output }}')).toEqual({ q: 1 })
})

test('a node sees neither parallel branches, itself nor later nodes', () => {
  const none = (id: string, by: string) =>
    `could not resolve {{ upstream.${id}.output }}: ${id} does not come before ${by}`
  expect(at('t→a, t→b', 'b', '{{ upstream.a.output }}')).toBe(none('a', 'b'))
  expect(at('t→a→b', 'a', '{{ upstream.b.output }}')).toBe(none('b', 'a'))
  expect(at('t→a', 'a', '{{ upstream.a.output }}')).toBe(none('a', 'a'))
})

test('a skipped node has no output, and an unknown one is named', () => {
  const sketch = 't→i, i.true→a, i.false→b, a→j, b→j'
  expect(at(sketch, 'j', '{{ upstream.b.output }}')).toBe(
    'could not resolve {{ upstream.b.output }}: b was skipped',
  )
  expect(at(sketch, 'j', '{{ upstream.a.output }}')).toBe('a')
  expect(at(sketch, 'j', '{{ upstream.ghost.output }}')).toBe(
    'could not resolve {{ upstream.ghost.output }}: there is no step ghost',
  )
})

test('a body sees its iteration and the nodes before its Loop, and no outside node sees into a body', () => {
  const sketch = 't→a→l, l.body→b(l)→c(l), l.done→z, t→p'
  expect(
    at(sketch, 'c', '{{ loop.item }}{{ loop.index }} {{ upstream.b.output }} {{ upstream.a.output }}'),
  ).toEqual(['x0 b a', 'y1 b a'])
  expect(at(sketch, 'z', '{{ upstream.l.output }}')).toEqual(['c', 'c'])
  expect(at(sketch, 'z', '{{ upstream.b.output }}')).toContain('b does not come before z')
  expect(at(sketch, 'c', '{{ upstream.l.output }}')).toEqual(
    Array(2).fill(expect.stringContaining('l does not come before c')),
  )
  expect(at(sketch, 'c', '{{ upstream.p.output }}')).toEqual(
    Array(2).fill(expect.stringContaining('p does not come before c')),
  )
})

test('loop means the innermost Loop, and a condition sees its own iteration', () => {
  const sketch = 't→l, l.body→m(l), m.body→b(m)'
  expect(at(sketch, 'b', '{{ loop.item }}')).toEqual([0, 1, 0, 1])
  // When m runs, it sees l; its conditions see its own index.
  expect(at(sketch, 'm', '{{ loop.item }}')).toEqual(['x', 0, 1, 2, 'y', 0, 1, 2])
})

test('variables are read when a node starts, and the last write wins', () => {
  const run = begin('t→a, t→b, t→c→d')
  const take = (nodeId: string) => takeReady(run, (node) => node.id === nodeId)!
  const [a, b, c] = [take('a'), take('b'), take('c')]
  applyResult(run, b, { status: 'completed', output: null, variables: { v: 'b' } })
  applyResult(run, a, { status: 'completed', output: null, variables: { v: 'a' } })
  applyResult(run, c, { status: 'completed', output: null })
  expect(scopeAt(run, take('d')).variables.get('v')).toBe('a')
})

test('variables live across iterations', () => {
  const totals: unknown[] = []
  execute(begin('t→l, l.body→b(l)'), (id) => ({ variables, loop }) => {
    if (id === 'l') return { status: 'repeat', range: { mode: 'list', items: [1, 2, 3] } }
    const total = Number(variables.get('total') ?? 0) + Number(loop?.item)
    totals.push(total)
    return { status: 'completed', output: null, variables: { total } }
  })
  expect(totals).toEqual([1, 3, 6])
})

test('a webhook and a form bind the body, a schedule nothing', () => {
  const graph = compileSketch('t→a, f→a, r→a')
  const trigger = (start: Parameters<typeof startGraphRun>[1]) => startGraphRun(graph, start).trigger
  expect(trigger({ kind: 'webhook', body: [1] })).toEqual({ body: [1] })
  expect(trigger({ kind: 'form', values: { name: 'Ann' } })).toEqual({ body: { name: 'Ann' } })
  expect(trigger({ kind: 'schedule', nodeId: 'r' })).toEqual({})
  expect(trigger({ kind: 'builder', nodeId: 'f', payload: 7 })).toBe(7)
  expect(execute(begin('t'), () => gives(() => null)).plan.output).toEqual({ q: 1 })
})

test('parts of a missing file of a form are empty, by the trigger and by its output', () => {
  const sketch = parseSketch('f→a')
  sketch.nodes[0]!.config = {
    answers: [
      { name: 'cv', required: false, isFile: true },
      { name: 'more', required: false, isFile: true },
      { name: 'phone', required: false, isFile: false },
    ],
  }
  const values = { cv: null, more: [], phone: null }
  const run = startGraphRun(compileGraph(sketch, TEST_NODE_TYPES), { kind: 'form', values })
  const ready = takeReady(run)
  if (!ready) throw new Error('nothing is ready')
  const scope = scopeAt(run, ready)
  const read = (text: string) => {
    const resolved = resolveValue(text, scope)
    return resolved.ok ? resolved.value : resolved.error
  }
  expect(read('{{ trigger.body.cv.text }}')).toBe('')
  expect(read('{{ upstream.f.output.body.cv.filename }}')).toBe('')
  expect(read('{{ trigger.body.cv.sizeBytes }}')).toBe(0)
  expect(read('{{ trigger.body.more.0.text }}')).toBe('')
  expect(read('{{ trigger.body.cv }}')).toBeNull()
  expect(read('{{ trigger.body.more }}')).toEqual([])
  expect(read('{{ trigger.body.cv.pages }}')).toContain('could not resolve')
  expect(read('{{ trigger.body.phone.text }}')).toContain('could not resolve')
  const asked = (text: string) => resolveValue(text, { ...scope, isLeftOutMissing: true }).ok
  expect(read('{{ trigger.body.phone }}')).toBeNull()
  expect(asked('{{ trigger.body.phone }}')).toBe(false)
  expect(asked('{{ upstream.f.output.body.cv.text }}')).toBe(false)
  expect(asked('{{ trigger.body.more }}')).toBe(true)
})
