import type { GraphInput } from '@troupe/graph'
import { expect, test } from 'vitest'
import { problemsOf, runGraph } from '../src/testing/run-graph.ts'

type Node = GraphInput['nodes'][number]
const node = (id: string, type: string, config: Record<string, unknown> = {}, parentId?: string): Node => ({
  id,
  type,
  name: id.toUpperCase(),
  config,
  ...(parentId !== undefined && { parentId }),
})
const edges = (...arrows: string[]) =>
  arrows.map((arrow) => {
    const [from = '', target = ''] = arrow.split('→')
    const [source = '', sourceHandle = 'out'] = from.split('.')
    return { id: arrow, source, sourceHandle, target }
  })
const row = (name: string, value: unknown) => ({ name, value })
const set = (id: string, value: unknown, parentId?: string) =>
  node(id, 'edit-fields', { rows: [row('v', value)] }, parentId)
const trigger = node('t', 'http-request', { fields: [{ name: 'n', type: 'number', required: true }] })
const isOdd = { conditions: [{ left: '{{ loop.item }}', op: 'matches', right: '[13579]$' }] }

const branches: GraphInput = {
  nodes: [
    trigger,
    node('i', 'if-else', { conditions: [{ left: '{{ trigger.n }}', op: 'gt', right: 3 }] }),
    node('a', 'variable', { rows: [row('size', 'large')] }),
    node('b', 'variable', { rows: [row('size', 'small')] }),
    set('j', '{{ variables.size }}: {{ trigger.n }}'),
    node('n', 'note', { markdown: 'Branches meet in a Variable.' }),
  ],
  edges: edges('t→i', 'i.true→a', 'i.false→b', 'a→j', 'b→j'),
}

test('branches meet in a Variable', () => {
  expect(problemsOf(branches)).toEqual([expect.stringContaining('fails when called by webhook')])
  expect(runGraph(branches, { n: 5 }).output).toEqual({ v: 'large: 5' })
  expect(runGraph(branches, { n: '5' }).error).toBe(
    'Payload does not match the HTTP Request trigger: "n" must be a number (got string)',
  )
})

test('a failing node is named with its sentence', () => {
  const failing: GraphInput = {
    nodes: [trigger, set('j', '{{ trigger.m }}')],
    edges: edges('t→j'),
  }
  expect(runGraph(failing, { n: 1 })).toEqual({
    status: 'failed',
    output: null,
    error:
      'Node j ("J") failed: row "v": could not resolve {{ trigger.m }}: "m" is not in the trigger (has: n)',
  })
})

test('a Loop over a list gathers the outputs of its iterations', () => {
  const graph: GraphInput = {
    nodes: [
      node('t', 'manual-trigger'),
      node('l', 'loop', { mode: 'list', source: '{{ trigger.items }}' }),
      node(
        'i',
        'if-else',
        { match: 'all', conditions: [{ left: 'x{{ loop.item }}', op: 'exists' }, isOdd] },
        'l',
      ),
      set('b', '{{ loop.index }}:{{ loop.item }}', 'l'),
      set('z', '{{ upstream.l.output }}'),
    ],
    edges: edges('t→l', 'l.body→i', 'i.true→b', 'l.done→z'),
  }
  expect(problemsOf(graph)).toEqual([])
  const items = ['1', '2', '3']
  expect(runGraph(graph, { items }).output).toEqual({ v: [{ v: '0:1' }, null, { v: '2:3' }] })
  expect(runGraph(graph, { items: { a: 1 } }).error).toBe(
    'Node l ("L") failed: Loop source must be a list, got object',
  )
})

test('a Loop continues while a Variable is small', () => {
  const graph: GraphInput = {
    nodes: [
      node('t', 'manual-trigger'),
      node('s', 'variable', { rows: [{ ...row('sum', 0), mode: 'fixed' }] }),
      node('l', 'loop', {
        mode: 'while',
        condition: { conditions: [{ left: '{{ variables.sum }}', op: 'lt', right: '{{ trigger.limit }}' }] },
      }),
      node('b', 'variable', { rows: [{ ...row('sum', '{{ trigger.step }}'), op: 'increment' }] }, 'l'),
    ],
    edges: edges('t→s', 's→l', 'l.body→b'),
  }
  expect(problemsOf(graph)).toEqual([])
  expect(runGraph(graph, { limit: 5, step: 2 })).toEqual({
    status: 'completed',
    output: [{ sum: 2 }, { sum: 4 }, { sum: 6 }],
    error: null,
  })
  expect(runGraph(graph, { limit: 5, step: 0 }).status).toBe('loop_limit_reached')
})

test('problems of configs are reported with the path of the node', () => {
  const graph: GraphInput = {
    nodes: [
      node('t', 'recurrence', { mode: 'cron', cron: '* * * *' }),
      node('c', 'classify', { text: '{{ loop.item }}', classes: [] }),
      node('e', 'edit-fields', { rows: [], keepOnlySet: false }),
    ],
    edges: edges('t→c', 'c.other→e'),
  }
  expect(problemsOf(graph)).toEqual([
    expect.stringMatching(/^block nodes\.0\.config\.cron /),
    'block nodes.1.config.classes must have at least 1 item',
    'error nodes.2.config.keepOnlySet "Keep only set fields" must be on: this node outputs exactly the rows you set',
    'error nodes.1.config.text {{ loop.item }}: c is not in the body of a Loop',
  ])
})
