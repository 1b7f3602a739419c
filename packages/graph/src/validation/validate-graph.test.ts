import { expect, test } from 'vitest'
import type { Graph, GraphNode } from '../model/graph.ts'
import { TEST_NODE_TYPES } from '../testing/node-types.ts'
import { parseSketch } from '../testing/parse-sketch.ts'
import type { ResourceState } from './check-configs.ts'
import { validateGraph } from './validate-graph.ts'

type Change = Partial<Omit<GraphNode, 'id'>>

/** The findings of a changed sketch, each as `severity code path message`. */
function told(sketch: string, changes: Record<string, Change> = {}, edit: (graph: Graph) => void = () => {}) {
  const graph = parseSketch(sketch)
  for (const node of graph.nodes) Object.assign(node, changes[node.id])
  edit(graph)
  return validateGraph(graph, TEST_NODE_TYPES).problems.map(
    ({ severity, code, path, message }) => `${severity} ${code} ${path}: ${message}`,
  )
}

const many = (length: number, chain: (at: number) => string) =>
  Array.from({ length }, (_, at) => chain(at)).join(', ')

test.for([
  't→i, i.true→a, i.false→b, a→j, b→j, note n',
  't→l, l.body→m(l), m.body→b(m), l.done→z, f→a, r→c',
])('%s is valid', (sketch) => {
  expect(told(sketch)).toEqual([])
})

test('a value that is not a graph is reported by its shape', () => {
  const shape = (value: unknown) =>
    validateGraph(value, TEST_NODE_TYPES).problems.map((one) => `${one.path} ${one.message}`)
  expect(shape(null)).toEqual([' must be an object'])
  expect(shape({ nodes: 1 })).toEqual(['edges is required', 'nodes must be an array'])
  expect(shape({ nodes: Array(10_001).fill(1), edges: [] })).toEqual(['nodes must have at most 10000 items'])
})

test('a node with an invalid shape is reported with everything else, and no other node is blamed for it', () => {
  const { graph, problems } = validateGraph(
    {
      nodes: [
        { id: 't', type: 'http-request', name: '' },
        { id: 'a', type: 'edit-fields', name: 'A', position: { x: 'left', y: 0 } },
        { id: 'b c', type: 'edit-fields', name: 'B', parentId: 'a' },
        { id: 'd', type: 'nothing', name: 'D', parentId: 'ghost' },
      ],
      edges: [
        { id: 'e1', source: 't', target: 'd' },
        { id: 'e2', source: 'd', target: 'ghost' },
        { id: 'e3', source: 'd' },
      ],
    },
    TEST_NODE_TYPES,
  )
  expect(graph).toBe(null)
  expect(
    problems.map(({ code, path, message, nodeId, edgeId }) => [code, `${path} ${message}`, nodeId, edgeId]),
  ).toEqual([
    ['schema', 'nodes.0.name must not be empty', 't', null],
    ['schema', 'nodes.1.position.x must be a number', 'a', null],
    ['schema', 'nodes.2.id must have 1 to 64 letters, digits, _ or -', 'b c', null],
    ['schema', 'edges.2.target is required', null, 'e3'],
    ['unknown_node_type', 'nodes.3.type is not a node type: nothing', 'd', null],
    ['unknown_parent', 'nodes.3.parentId names an unknown node: ghost', 'd', null],
    ['unknown_node', 'edges.1.target names an unknown node: ghost', null, 'e2'],
  ])
})

test.for<[string, string, Record<string, Change>, string[]]>([
  [
    'names',
    't→a→b',
    { b: { name: 'A' } },
    ['block duplicate_node_name nodes.2.name: another node has the name "A"'],
  ],
  [
    'no trigger',
    'a→b',
    {},
    [
      'block no_trigger nodes: must have a trigger',
      'error unreachable_node nodes.0: is never reached: no path leads to it from a trigger',
      'error unreachable_node nodes.1: is never reached: no path leads to it from a trigger',
    ],
  ],
  [
    'two of a trigger',
    't→a, f→a',
    { f: { type: 'http-request' } },
    ['block too_many_triggers nodes.2.type: there can be only one http-request'],
  ],
  ['two schedules', 't→a, r→a, f→a', { f: { type: 'recurrence' } }, []],
  [
    'a trigger in a body',
    't→l',
    { t: { parentId: 'l' } },
    [
      'block trigger_in_body nodes.0.parentId: a trigger cannot be in the body of a Loop',
      'block edge_across_border edges.0.target: t and l are not in the same body',
      'error unreachable_node nodes.1: is never reached: no path leads to it from a trigger',
      'error unreachable_node nodes.0: is never reached: no path leads to it from the body of l',
    ],
  ],
  [
    'a parent that is no Loop',
    't→a, t→b',
    { b: { parentId: 'a' } },
    [
      'block unknown_parent nodes.2.parentId: a is not a Loop',
      'block edge_across_border edges.1.target: t and b are not in the same body',
      'error unreachable_node nodes.2: is never reached: no path leads to it from a trigger',
    ],
  ],
  [
    'an edge into a trigger',
    't→a→f→b, a→b',
    {},
    ['block edge_into_trigger edges.1.target: f is a trigger and has no input'],
  ],
  ['an edge to a Note', 't→a→n', {}, ['block edge_at_note edges.1.target: a Note has no edges']],
  ['an edge from a Note', 't→a, n→b, t→b', {}, ['block edge_at_note edges.1.source: a Note has no edges']],
  [
    'an unknown handle',
    't→i, i.maybe→a, t→a',
    {},
    ['block unknown_handle edges.1.sourceHandle: i has no handle "maybe" (has: true, false)'],
  ],
  [
    'body to a node outside',
    't→l, l.body→a, t→a',
    {},
    ['block edge_across_border edges.1.target: a is not in the body of l'],
  ],
  [
    'out of a body',
    't→l, l.body→b(l)→z, l.done→z',
    {},
    ['block edge_across_border edges.2.target: b and z are not in the same body'],
  ],
  [
    'done to its own body',
    't→l, l.body→b(l), l.done→b(l)',
    {},
    ['block edge_across_border edges.2.target: l and b are not in the same body'],
  ],
  [
    'a body in itself',
    't→a, l.body→m(l), m.body→l(m)',
    {},
    [
      'block nested_too_deep nodes.2.parentId: the Loop would contain itself',
      'block nested_too_deep nodes.3.parentId: the Loop would contain itself',
    ],
  ],
  [
    'a cycle',
    't→a→b→c, b→a',
    {},
    [
      'error unreachable_node nodes.1: is never reached, because it waits for itself (cycle: a -> b -> a)',
      'error unreachable_node nodes.2: is never reached, because it waits for itself (cycle: a -> b -> a)',
      'error unreachable_node nodes.3: is never reached, because it waits for itself (cycle: a -> b -> a)',
    ],
  ],
  [
    'findings of a node type',
    't→a',
    { a: { config: { keepOnlySet: false } } },
    ['error keep_only_set nodes.1.config.keepOnlySet: must be on'],
  ],
  [
    'required fields and a schedule',
    't→a, r→a',
    { t: { config: { fields: [{ name: 'q', type: 'string', required: true }] } } },
    [
      'warning scheduled_runs_fail nodes.0: requires fields, so every scheduled run fails: its payload is empty',
    ],
  ],
  ['a form alone', 't→a, f', {}, ['warning form_starts_nothing nodes.2: nothing follows the form']],
  [
    'while over nothing',
    't→l',
    { l: { config: { mode: 'while' } } },
    ['warning empty_while nodes.1: repeats an empty body while its condition holds'],
  ],
])('%s', ([, sketch, changes, problems]) => {
  expect(told(sketch, changes)).toEqual(problems)
})

test('repeated ids and edges', () => {
  const problems = told('t→a, t→b', {}, ({ nodes, edges }) => {
    nodes.push({ ...nodes[1]!, name: 'Other' })
    edges.push({ ...edges[0]!, id: 'new' }, { ...edges[1]!, sourceHandle: 'other' })
  })
  expect(problems).toEqual([
    'block duplicate_node_id nodes.3.id: another node has the id a',
    'block duplicate_edge edges.2: another edge leads from t (out) to a',
    'block duplicate_edge_id edges.3.id: another edge has the id t.out-b',
    'block unknown_handle edges.3.sourceHandle: t has no handle "other" (has: out)',
  ])
})

test('Loops nest eight deep, not nine', () => {
  const nested = (depth: number) =>
    told('t→l0', {}, ({ nodes, edges }) => {
      nodes.splice(1, 1)
      for (let at = 0; at < depth; at++) {
        const parentId = at === 0 ? null : `l${at - 1}`
        nodes.push({
          id: `l${at}`,
          type: 'loop',
          name: `L${at}`,
          parentId,
          position: { x: 0, y: 0 },
          config: {},
        })
        if (parentId) edges.push({ id: `e${at}`, source: parentId, sourceHandle: 'body', target: `l${at}` })
      }
    })
  expect(nested(8)).toEqual([])
  expect(nested(9)).toEqual(['block nested_too_deep nodes.9.parentId: Loops nest at most 8 deep'])
  expect(nested(2_000)).toHaveLength(1_992)
})

test('agents, teams and LLM configurations are looked up', () => {
  const graph = parseSketch('t→a→b→c→d')
  const states: ResourceState[] = ['usable', 'draft', 'archived', 'missing']
  for (const [at, node] of graph.nodes.slice(1).entries()) {
    Object.assign(node, { type: 'ai-agent', config: { agentId: states[at] } })
  }
  const { problems } = validateGraph(graph, TEST_NODE_TYPES, ({ id }) => id as ResourceState)
  expect(
    problems.map(({ severity, code, path, message }) => `${severity} ${code} ${path}: ${message}`),
  ).toEqual([
    'warning draft_resource nodes.2.config.agentId: the agent is still a draft',
    'block archived_resource nodes.3.config.agentId: the agent is archived',
    'block missing_resource nodes.4.config.agentId: agent not found: missing',
  ])
})

test('a graph of more than 4 MB is refused', () => {
  expect(told('t→a', { a: { config: { value: 'x'.repeat(5 * 1024 * 1024) } } })).toEqual([
    'block graph_too_large : is 5.1 MB, more than 4 MB',
  ])
})

test.for<[string, string, string, string[]]>([
  ['of a node before', 't→a→b', '{{ upstream.a.output }}', []],
  [
    'of no node',
    't→b',
    '{{ upstream.ghost.output.x }}',
    ['error unknown_token_node nodes.1.config.value: {{ upstream.ghost.output.x }}: there is no step ghost'],
  ],
  [
    'of a Note',
    't→b, note n',
    '{{ upstream.n.output }}',
    ['error unknown_token_node nodes.1.config.value: {{ upstream.n.output }}: there is no step n'],
  ],
  [
    'of a parallel branch',
    't→a, t→b',
    '{{ upstream.a.output }}',
    ['error token_not_before nodes.2.config.value: {{ upstream.a.output }}: a does not come before b'],
  ],
  [
    'malformed',
    't→b',
    '{{ triger.x }} {{ triger.x }}',
    [
      'error malformed_token nodes.1.config.value: {{ triger.x }}: "triger" is not one of: trigger, upstream, variables, loop',
    ],
  ],
  ['escaped', 't→b', '\\{{ triger.x }}', []],
  [
    'of no Loop',
    't→b',
    '{{ loop.item }}',
    ['error loop_outside_body nodes.1.config.value: {{ loop.item }}: b is not in the body of a Loop'],
  ],
  ['of a Loop', 't→l, l.body→b(l)', '{{ loop.item }}', []],
  ['of a node before the Loop', 't→a→l, l.body→b(l)', '{{ upstream.a.output }}', []],
  [
    'of a node in a body',
    't→l, l.body→a(l), l.done→b',
    '{{ upstream.a.output }}',
    ['error token_not_before nodes.3.config.value: {{ upstream.a.output }}: a does not come before b'],
  ],
  [
    'of a node that may be skipped',
    't→i, i.true→a→b, i.false→b',
    '{{ upstream.a.output }}',
    [
      'warning may_be_skipped nodes.3.config.value: {{ upstream.a.output }}: a may be skipped when b runs; bring branches together in a Variable',
    ],
  ],
  ['of the choice itself', 't→i, i.true→a→b, i.false→b', '{{ upstream.i.output }}', []],
  ['of parallel branches that join', 't→a→b, t→c→b', '{{ upstream.a.output }} {{ upstream.c.output }}', []],
  ['of the join behind a choice', 't→i, i.true→a→j, i.false→c→j, j→b, t→b', '{{ upstream.j.output }}', []],
])('a token %s', ([, sketch, value, problems]) => {
  expect(told(sketch, { b: { type: 'variable', config: { value } } })).toEqual(problems)
})

test('a condition may use its own Loop', () => {
  const config = { mode: 'while', condition: [{ left: '{{ loop.index }}' }], source: '{{ loop.item }}' }
  expect(told('t→l, l.body→b(l)', { l: { config } })).toEqual([
    'error loop_outside_body nodes.1.config.source: {{ loop.item }}: l is not in the body of a Loop',
  ])
})

const writes: Change = { type: 'variable', config: { names: ['v'] } }
const PARALLEL = 'may write variable v at the same time; the last write wins'

test.for<[string, string, string[]]>([
  ['in parallel', 't→a, t→b', [`warning parallel_writes nodes.2: a ${PARALLEL}`]],
  ['one after the other', 't→a→c→b', []],
  ['on the two sides of a choice', 't→i, i.true→a, i.false→c→b', []],
  [
    'on one side of a choice and beside it',
    't→i, i.true→a, i.false→c, t→b',
    [`warning parallel_writes nodes.2: b ${PARALLEL}`],
  ],
  [
    'on the two sides of a choice with another way in',
    't→i, i.true→a, i.false→b, t→b',
    [`warning parallel_writes nodes.3: a ${PARALLEL}`],
  ],
  [
    'in a body and beside the Loop',
    't→l, l.body→a(l), t→b',
    [`warning parallel_writes nodes.2: b ${PARALLEL}`],
  ],
  ['in a body and behind the Loop', 't→l, l.body→a(l), l.done→b', []],
  ['in one body, one after the other', 't→l, l.body→a(l)→b(l)', []],
])('a variable that is written %s', ([, sketch, problems]) => {
  expect(told(sketch, { a: writes, b: writes })).toEqual(problems)
})

test('the largest graph is checked in seconds', () => {
  const sketch = parseSketch(many(1, () => 't→a'))
  for (let at = 0; at < 9_900; at++) {
    const id = `n${at}`
    const config = { value: `{{ upstream.${at === 0 ? 'a' : `n${at - 1}`}.output }}`, names: ['v'] }
    sketch.nodes.push({ id, type: 'variable', name: id, parentId: null, position: { x: at, y: 1 }, config })
    sketch.edges.push({ id, source: at === 0 ? 'a' : `n${at - 1}`, sourceHandle: 'out', target: id })
  }
  const before = process.threadCpuUsage()
  expect(
    validateGraph(sketch, TEST_NODE_TYPES).problems.map(({ code, message }) => `${code} ${message}`),
  ).toEqual([
    'not_fully_checked has more than 100 steps that write variable v; only the first 100 were checked for writes at the same time',
  ])
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(15_000)
})

test('a graph that is too large to be checked completely reports that', () => {
  const sketch = parseSketch(many(1, () => 't→a'))
  // Every choice follows the previous one, so comparing two writers searches all of them repeatedly.
  const choices = 1_500
  for (let at = 0; at < choices; at++) {
    const before = at === 0 ? 'a' : `i${at - 1}`
    const handles = at === 0 ? ['out'] : ['true', 'false']
    sketch.nodes.push({
      id: `i${at}`,
      type: 'if-else',
      name: `i${at}`,
      parentId: null,
      position: { x: 0, y: 0 },
      config: {},
    })
    for (const sourceHandle of handles) {
      sketch.edges.push({ id: `${before} ${sourceHandle}`, source: before, sourceHandle, target: `i${at}` })
    }
  }
  for (let at = 0; at < 50; at++) {
    const id = `v${at}`
    sketch.nodes.push({
      id,
      type: 'variable',
      name: id,
      parentId: null,
      position: { x: 0, y: 0 },
      config: { names: ['v'] },
    })
    sketch.edges.push({ id, source: `i${choices - 1}`, sourceHandle: 'true', target: id })
  }
  const { problems } = validateGraph(sketch, TEST_NODE_TYPES)
  expect(problems.at(-1)).toEqual({
    ...{ severity: 'warning', code: 'not_fully_checked', path: '', nodeId: null, edgeId: null },
    message:
      'is too large to be checked completely: steps that may be skipped and variables that are written at the same time may be missing from this list',
  })
})
