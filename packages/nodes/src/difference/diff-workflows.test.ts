import type { Graph, GraphNode } from '@troupe/graph'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffWorkflows } from './diff-workflows.ts'

type Part = Partial<GraphNode> & { id: string }

function graph(nodes: Part[], ...ways: string[]): Graph {
  return {
    nodes: nodes.map((node) => ({
      ...{ name: node.id, type: 'edit-fields', parentId: null, position: { x: 0, y: 0 }, config: {} },
      ...node,
    })),
    edges: ways.map((way) => {
      const [source = '', target = ''] = way.split('→')
      return { id: way, source, sourceHandle: 'out', target }
    }),
  }
}

const start = { id: 'start', type: 'http-request' }
const rows = (...values: string[]) => ({ rows: values.map((value, at) => ({ name: `f${at}`, value })) })

test('a token breaks when its step is removed, moved after its reader, or disabled', () => {
  const parts = [start, { id: 'look', name: 'Look up', config: rows('x') }, reader]
  const before = graph(parts, 'start→look', 'look→answer')
  const found = (after: Graph) =>
    diffWorkflows(before, after).tokens.broken.map(({ name, severity, message }) => [name, severity, message])
  expect(found(graph([start, reader], 'start→answer'))).toEqual([
    ['Answer', 'error', 'there is no step look'],
  ])
  expect(found(graph(parts, 'start→answer', 'answer→look'))).toEqual([
    ['Answer', 'error', 'look does not come before answer'],
  ])
  expect(
    found(graph([start, { ...parts[1], id: 'look', disabled: true }, reader], 'start→look', 'look→answer')),
  ).toEqual([['Answer', 'warning', 'look is disabled, so its output is that of the step before it']])
  // A previously broken token is not new.
  const broken = graph([start, reader], 'start→answer')
  expect(diffWorkflows(broken, graph([start, reader, { id: 'more' }], 'start→answer')).tokens.broken).toEqual(
    [],
  )
})
const reader = { id: 'answer', name: 'Answer', config: rows('{{ upstream.look.output.f0 }}') }

test('tokens are gained and lost by field, once each', () => {
  const before = graph([start, { id: 'a', config: rows('{{ trigger.x }} {{ trigger.x }}', '{{trigger.y}}') }])
  const after = graph([start, { id: 'a', config: rows('{{ trigger.x }}', '{{ trigger.z }}') }])
  const { gained, lost, more } = diffWorkflows(before, after).tokens
  expect(gained).toEqual([{ nodeId: 'a', name: 'a', path: 'config.rows.1.value', token: '{{ trigger.z }}' }])
  expect(lost).toMatchObject([{ path: 'config.rows.1.value', token: '{{ trigger.y }}' }])
  expect(more).toBe(0)
})

test('tokens above the limit are counted', () => {
  const text = Array.from({ length: 250 }, (_, at) => `{{ trigger.k${at} }}`).join(' ')
  const before = graph([start, { id: 'a' }])
  const { tokens } = diffWorkflows(before, graph([start, { id: 'a', config: rows(text) }]))
  expect([tokens.gained.length, tokens.more]).toEqual([200, 50])
})

test('the output differs by its fields and by the number of last steps, not by names', () => {
  const end = (id: string, name: string, ...fields: string[]) => ({ id, name, config: rows(...fields) })
  const before = graph([start, end('a', 'One', 'x')], 'start→a')
  const of = (after: Graph) => diffWorkflows(before, after).output
  expect(of(graph([start, end('a', 'Two', 'y')], 'start→a'))).toBe(null)
  expect(of(graph([start, end('b', 'Other', 'x')], 'start→b'))).toBe(null)
  expect(of(graph([start, end('a', 'One', 'x', 'y')], 'start→a'))).toMatchObject({
    before: [{ name: 'One', fields: [{ path: 'f0' }] }],
    after: [{ name: 'One', fields: [{ path: 'f0' }, { path: 'f1' }] }],
  })
  expect(of(graph([start, end('a', 'One', 'x'), end('b', 'B')], 'start→a', 'start→b'))?.after).toHaveLength(2)
  // A step of the body of a Loop is not an end, and a connection from the Loop into its body is not outgoing.
  const loop = { id: 'l', name: 'Each', type: 'loop' }
  const inside = { id: 'in', parentId: 'l' }
  expect(of(graph([start, loop, inside], 'start→l', 'l→in'))?.after).toEqual([
    { nodeId: 'l', name: 'Each', fields: [] },
  ])
})

test('the form differs by its obstacles for visitors: access and fields', () => {
  const form = (auth: object, ...fields: object[]) =>
    graph([{ id: 'form', type: 'form-trigger', config: { title: 'T', auth, fields } }])
  const name = { name: 'name', label: 'Your name', type: 'text', required: false }
  const before = form({ mode: 'none' }, name)
  const of = (after: Graph) => diffWorkflows(before, after).form
  expect(of(form({}, name))).toBe(null)
  expect(of(form({ mode: 'basic', username: 'us' }, { ...name, required: true }, { name: 'n' }))).toEqual({
    fields: [
      { field: 'name', label: 'Your name', change: 'required' },
      { field: 'n', label: 'n', change: 'added' },
    ],
    access: { before: { mode: 'none', username: null }, after: { mode: 'basic', username: 'us' } },
  })
  expect(of(graph([start]))).toMatchObject({
    fields: [{ field: 'name', change: 'removed' }],
    access: { after: null },
  })
})

test('a graph does not differ from itself, and settings of any shape are compared', () => {
  const config = fc.dictionary(
    fc.constantFrom('fields', 'auth', 'rows', 'outputSchema', 'prompt'),
    fc.jsonValue({ maxDepth: 3 }),
  )
  const part = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    type: fc.constantFrom('form-trigger', 'edit-fields', 'loop', 'ai-prompt', 'unknown', 'note'),
    parentId: fc.constantFrom(null, 'a', 'b'),
    config: config as fc.Arbitrary<Record<string, unknown>>,
  })
  const any = fc
    .tuple(
      fc.uniqueArray(part, { selector: ({ id }) => id }),
      fc.uniqueArray(fc.constantFrom('a→b', 'b→c', 'c→a', 'a→c', 'b→b')),
    )
    .map(([nodes, ways]) => graph(nodes, ...ways))
  fc.assert(
    fc.property(any, any, (one, other) => {
      diffWorkflows(one, other)
      expect(diffWorkflows(one, structuredClone(one))).toMatchObject({
        ...{ nodes: [], edges: [], output: null, form: null },
        tokens: { gained: [], lost: [], broken: [] },
      })
    }),
    { numRuns: 30 },
  )
})
