import { expect, test } from 'vitest'
import { compileGraph } from '../compile/compile-graph.ts'
import { parseGraph } from '../model/graph.ts'
import { execute, gives } from '../testing/execute.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { parseSketch } from '../testing/parse-sketch.ts'
import { recordRun } from '../testing/record-run.ts'
import { validateGraph } from '../validation/validate-graph.ts'
import { planTest } from './plan-test.ts'
import { replayGraphRun } from './replay-graph-run.ts'
import { startGraphRun } from './start-graph-run.ts'

const START = { kind: 'builder', nodeId: null, payload: { from: 'start' } } as const

function sketched(sketch: string, disabled: string, effects = '') {
  const graph = parseSketch(sketch)
  for (const node of graph.nodes) {
    if (disabled.includes(node.id)) node.disabled = true
    if (effects.includes(node.id)) node.type = 'ai-agent'
  }
  return graph
}

const compiled = (...given: Parameters<typeof sketched>) => compileGraph(sketched(...given), TEST_NODE_TYPES)

/** Each step returns its id; a Loop repeats for two items. */
function ran(...given: Parameters<typeof sketched>) {
  const graph = compiled(...given)
  const run = startGraphRun(graph, START)
  const { plan, ran } = execute(run, (id) => {
    if (graph.nodes.get(id)?.role !== 'loop') return gives(() => id)
    return () => ({ status: 'repeat', range: { mode: 'list', items: ['x', 'y'] } })
  })
  return { ran, run, status: plan.status, output: plan.output, error: plan.error }
}

test('a disabled step does not run and has the output of the previous step', () => {
  expect(ran('t→a→b→c', 'b')).toMatchObject({ ran: ['a', 'c'], output: 'c' })
  const { run } = ran('t→a→b→c', 'b')
  expect(run.root.outputs[run.graph.nodes.get('b')?.slot ?? -1]).toBe('a')
  expect(ran('t→a→b', 'ab')).toMatchObject({ ran: [], status: 'completed', output: START.payload })
  expect(ran('t→a→b', 'b', 'b')).toMatchObject({ ran: ['a'], output: 'a' })
})

test('a disabled step with several handles takes the first one, and a join passes on the output that led to it', () => {
  expect(ran('t→i, i.true→a, i.false→b', 'i')).toMatchObject({ ran: ['a'], output: 'a' })
  expect(ran('t→i, i.true→a→c, i.false→b→c', 'ci')).toMatchObject({ ran: ['a'], output: 'a' })
  expect(ran('t→a→c, t→b→c', 'c')).toMatchObject({ ran: ['a', 'b'], output: 'a' })
})

test('a disabled Loop leaves its body out, and the start of a body passes on the item', () => {
  expect(ran('t→a→l, l.body→b(l), l.done→c', 'l')).toMatchObject({ ran: ['a', 'c'], output: 'c' })
  expect(ran('t→l, l.body→b(l), l.done→c', 'bc')).toMatchObject({ ran: ['l'], output: ['x', 'y'] })
})

test('a run that continues in another process, and a test of one step, also skip it', () => {
  const graph = compiled('t→a→b→c', 'b', 'a')
  const run = startGraphRun(graph, START)
  execute(run, () => gives(() => 'one'))
  const stored = recordRun(run)
  const cut = { ...stored, nodes: stored.nodes.filter(({ nodeId }) => nodeId !== 'b' && nodeId !== 'c') }
  const resumed = execute(replayGraphRun(graph, START, cut), (id) => gives(() => id))
  expect(resumed).toMatchObject({ ran: ['c'], plan: { output: 'c' } })
  const effect = compiled('t→a→b', 'a', 'a')
  const plan = planTest(effect, { kind: 'only', nodeId: 'b', path: null }, [])
  expect(plan).toMatchObject({ missing: [], effects: [], fault: null })
})

test('a disabled step is not checked, a token of it is warned about, and a trigger cannot be disabled', () => {
  const graph = sketched('t→a→b', 'a', 'a')
  const [, , b] = graph.nodes
  if (b) b.config = { text: '{{ upstream.a.output.total }}' }
  const types = {
    get: (type: string) => {
      const known = TEST_NODE_TYPES.get(type)
      if (!known || type === 'ai-agent') {
        return (
          known && {
            ...known,
            check: () => [{ severity: 'block' as const, code: 'x', path: 'y', message: 'z' }],
          }
        )
      }
      return { ...known, templates: ({ text }: Record<string, unknown>) => [{ path: 'text', value: text }] }
    },
  }
  const codes = (of: object) => validateGraph(of, types).problems.map(({ code }) => code)
  expect(codes(graph)).toEqual(['disabled_step'])
  expect(
    codes({ ...graph, nodes: graph.nodes.map((node) => ({ ...node, disabled: node.id === 't' })) }),
  ).toEqual(['x', 'disabled_trigger'].toSorted())
})

test('the field is kept if true, and a graph without it is parsed as before', () => {
  const node = { id: 'a', type: 'edit-fields', name: 'A' }
  const read = (disabled: unknown) => parseGraph({ nodes: [{ ...node, disabled }], edges: [] })
  expect(read(true)).toMatchObject({ ok: true, value: { nodes: [{ disabled: true }] } })
  const parsed = read(false)
  expect(parsed.ok && Object.keys(parsed.value.nodes[0] ?? {})).toEqual([
    ...['id', 'type', 'name', 'parentId', 'position', 'config'],
  ])
  expect(read('yes').ok).toBe(false)
})
