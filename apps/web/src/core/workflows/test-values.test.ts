import type { Graph } from '@troupe/graph'
import { expect, test } from 'vitest'
import { askedSteps, typedSeeds, untyped } from './test-values.ts'

const node = (id: string, type: string, config = {}) => ({
  ...{ id, type, name: id.toUpperCase(), parentId: null, position: { x: 0, y: 0 } },
  config,
})
const GRAPH: Graph = {
  nodes: [
    node('t', 'manual-trigger'),
    node('find', 'ai-agent', { message: '{{ trigger.q }}' }),
    node('sort', 'classify', {
      text: 'x',
      classes: [
        { id: 'urgent', name: 'Urgent' },
        { id: 'later', name: 'Later' },
      ],
    }),
    node('each', 'loop', { mode: 'count', count: 2 }),
    node('write', 'ai-agent', {
      message:
        'Dear {{ upstream.find.output.name.first }}, {{ upstream.find.output.price }} {{ upstream.each.output.0 }}',
      other: ['{{ upstream.find.output.price }}', '{{ not a token }}'],
    }),
  ],
  edges: [],
}
const asked = (missing: string[], executed = ['write']) => askedSteps(GRAPH, missing, new Set(executed))

test('a step requires the values that its readers use of steps without a result, each once', () => {
  const [find] = asked(['find', 'find'])
  expect(find?.values.map(({ label }) => label)).toEqual([
    '{{ upstream.find.output.name.first }}',
    '{{ upstream.find.output.price }}',
  ])
  expect(asked(['find'], ['sort'])[0]?.values).toEqual([])
  expect(asked(['gone'])).toEqual([])
})

test('typed values become the output: text as text, JSON as JSON, in the shape that the tokens read', () => {
  const steps = asked(['find', 'each'])
  const typed = { 'find.name.first': 'Ann', 'find.price': '12', 'each.0': '{"a":1}' }
  expect(typedSeeds(steps, typed, {})).toEqual([
    { nodeId: 'find', output: { name: { first: 'Ann' }, price: 12 } },
    { nodeId: 'each', output: [{ a: 1 }] },
  ])
  expect(typedSeeds(steps, { 'find.price': '12' }, {})).toEqual([])
  expect(untyped(steps, { 'find.price': '' }, {})).toEqual([
    '{{ upstream.find.output.name.first }}',
    '{{ upstream.each.output.0 }}',
  ])
})

test('a branching step requires its branch, and a chosen branch is sent for any step', () => {
  const steps = asked(['sort'])
  expect(steps[0]?.ways).toEqual(['urgent', 'later', 'other'])
  expect(untyped(steps, {}, {})).toEqual(['SORT'])
  expect(typedSeeds(steps, {}, { sort: 'later' })).toEqual([
    { nodeId: 'sort', output: { category: 'Later', categoryId: 'later' }, handles: ['later'] },
  ])
  expect(typedSeeds([], {}, { sort: 'later' })).toEqual([{ nodeId: 'sort', handles: ['later'] }])
})

test('names from a config are data, also __proto__', () => {
  const graph: Graph = {
    ...GRAPH,
    nodes: [
      node('find', 'ai-agent'),
      node('write', 'ai-agent', { message: '{{ upstream.find.output.__proto__.x }}' }),
    ],
  }
  const steps = askedSteps(graph, ['find'], new Set(['write']))
  typedSeeds(steps, { 'find.__proto__.x': '1' }, {})
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test.each([
  'a.__proto__.x',
  '__proto__.__proto__.x',
  'a.constructor.prototype.x',
])('a token that reads %s changes no object of the page', (keys) => {
  const graph: Graph = {
    ...GRAPH,
    nodes: [
      node('find', 'ai-agent'),
      node('write', 'ai-agent', { message: `{{ upstream.find.output.${keys} }}` }),
    ],
  }
  const steps = askedSteps(graph, ['find'], new Set(['write']))
  const [seed] = typedSeeds(steps, { [`find.${keys}`]: '1' }, {})
  const isChanged = 'x' in {}
  // Reset, because tests that share the worker would see it.
  Reflect.deleteProperty(Object.prototype, 'x')
  expect(isChanged).toBe(false)
  expect(JSON.stringify(seed?.output)).toBe(
    keys.split('.').reduceRight((inner, key) => `{"${key}":${inner}}`, '1'),
  )
})

test('values that follow from a branch are not required, and are in the result', () => {
  const reader = (message: string) => node('write', 'ai-agent', { message })
  const fields = (type: string, config: object, message: string, way: string, typed = {}) => {
    const steps = askedSteps(
      { ...GRAPH, nodes: [node('sort', type, config), reader(message)] },
      ['sort'],
      new Set(['write']),
    )
    const labels = steps.flatMap(({ values }) => values.map(({ key }) => key))
    return [labels, typedSeeds(steps, typed, { sort: way })[0]?.output]
  }
  expect(fields('if-else', {}, '{{ upstream.sort.output.branch }}', 'false')).toEqual([
    [],
    { branch: 'false' },
  ])
  expect(fields('if-else', {}, '{{ upstream.sort.output }}', 'true')).toEqual([[], { branch: 'true' }])
  const read = '{{ upstream.sort.output.decision }} {{ upstream.sort.output.comment }}'
  expect(fields('human-review', {}, read, 'rejected', { 'sort.comment': 'No' })).toEqual([
    ['sort.comment'],
    { comment: 'No', decision: 'rejected' },
  ])
  const classes = { classes: [{ id: 'urgent', name: 'Urgent' }] }
  expect(fields('classify', classes, '{{ upstream.sort.output.category }}', 'other')).toEqual([
    [],
    { category: 'Other', categoryId: 'other' },
  ])
})
