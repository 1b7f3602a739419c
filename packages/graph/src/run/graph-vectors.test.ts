import { expect, test } from 'vitest'
import { type Behaviour, execute, gives, label } from '../testing/execute.ts'
import { compileSketch } from '../testing/parse-sketch.ts'
import { takeChanges } from './plan-run.ts'
import type { RunStart } from './run-start.ts'
import { startGraphRun } from './start-graph-run.ts'

// Table V1. Nodes without an entry in a row return `<id>(<outputs that they see>)`.

const odd = (value: unknown) => Number(value) % 2 === 1
const item = gives(({ loop }) => loop?.item)
const index = gives(({ loop }) => loop?.index)
const branch =
  (truth: boolean | ((item: unknown) => boolean)): Behaviour =>
  ({ loop }) => {
    const handle = String(typeof truth === 'boolean' ? truth : truth(loop?.item))
    return { status: 'completed', output: { branch: handle }, handles: [handle] }
  }
const list =
  (items: unknown): Behaviour =>
  () =>
    Array.isArray(items)
      ? { status: 'repeat', range: { mode: 'list', items } }
      : { status: 'failed', message: 'Loop source must be a list, got object' }
const count =
  (times: number): Behaviour =>
  () => ({ status: 'repeat', range: { mode: 'count', count: times } })
const times = gives(({ loop }) => Number(loop?.item) * 10 + Number(loop?.index))
const value = (output: unknown) => gives(() => output)

interface Row {
  graph: string
  nodes?: Record<string, Behaviour>
  start?: RunStart
  input?: unknown
  ceiling?: number
  status?: string
  output?: unknown
  error?: string
  ran?: string
  skipped?: string
}

const LOOP = 't→l, l.body→b(l)'
const SCHEDULE: RunStart = { kind: 'schedule', nodeId: 'r' }
const UNREACHABLE = 'Nodes never became reachable: '

test.for<[number, Row]>([
  [
    1,
    {
      graph: 't→i, i.true→a, i.false→b, a→j, b→j',
      nodes: { i: branch(true) },
      output: 'j(a)',
      ran: 'i a j',
      skipped: 'b',
    },
  ],
  [2, { graph: 't→a→a2→j, t→b→j', output: 'j(a a2 b)', ran: 'a a2 b j' }],
  [3, { graph: 't→a, t→b', nodes: { a: value(1), b: value(2) }, output: { a: 1, b: 2 }, ran: 'a b' }],
  [4, { graph: 't→i, i.true→a', nodes: { i: branch(false) }, output: null, ran: 'i', skipped: 'a' }],
  [
    5,
    { graph: 't→i, i.true→a→j, t→j', nodes: { i: branch(false) }, output: 'j()', ran: 'i j', skipped: 'a' },
  ],
  [
    6,
    {
      graph: 't→i, i.true→a→j, i.false→b→c→d→j',
      nodes: { i: branch(true) },
      output: 'j(a)',
      ran: 'i a j',
      skipped: 'b c d',
    },
  ],
  [7, { graph: 't→a, o→o2', status: 'failed', error: `${UNREACHABLE}o, o2 (no path from a trigger)` }],
  [8, { graph: 't→j, o→j, j→z', status: 'failed', error: `${UNREACHABLE}o, j, z (no path from a trigger)` }],
  [9, { graph: 't→a, a→b, b→a', status: 'failed', error: `${UNREACHABLE}a, b (cycle: a -> b -> a)` }],
  [10, { graph: 't', input: { q: 1 }, output: { q: 1 } }],
  [11, { graph: 't→a, note n', nodes: { a: value(5) }, output: 5, ran: 'a' }],
  [12, { graph: 'f→a, r→c', start: SCHEDULE, output: 'c()', ran: 'c', skipped: 'f a' }],
  [13, { graph: 'f→a, r→a', output: 'a()', ran: 'a' }],
  [14, { graph: 'f→a, r→a', start: SCHEDULE, output: 'a()', ran: 'a', skipped: 'f' }],
  [
    15,
    {
      graph: `${LOOP}, l.done→z`,
      nodes: { l: list([1, 2, 3]), b: times },
      output: 'z(l=[10,21,32])',
      ran: 'l b#0 b#1 b#2 z',
    },
  ],
  [16, { graph: LOOP, nodes: { l: list([1, 2]), b: item }, output: [1, 2], ran: 'l b#0 b#1' }],
  [17, { graph: LOOP, nodes: { l: list([]), b: item }, output: [], ran: 'l' }],
  [
    18,
    {
      graph: LOOP,
      nodes: { l: list({ a: 1 }) },
      status: 'failed',
      error: 'Node l ("L") failed: Loop source must be a list, got object',
      ran: 'l',
    },
  ],
  [
    19,
    { graph: LOOP, nodes: { l: count(3), b: index }, ceiling: 3, output: [0, 1, 2], ran: 'l b#0 b#1 b#2' },
  ],
  [
    20,
    {
      graph: `${LOOP}, l.done→z`,
      nodes: { l: count(5), b: index },
      ceiling: 3,
      status: 'loop_limit_reached',
      output: [0, 1, 2],
      ran: 'l b#0 b#1 b#2',
    },
  ],
  [
    21,
    {
      graph: 't→l, l.body→m(l), m.body→b(m), l.done→z',
      nodes: { l: count(2), m: count(5), b: index },
      ceiling: 3,
      status: 'loop_limit_reached',
      output: [[0, 1, 2]],
      ran: 'l m#0 b#0.0 b#0.1 b#0.2',
    },
  ],
  [
    22,
    {
      graph: 't→l, l.body→i(l), i.true(l)→b(l)',
      nodes: { l: list([1, 2, 3]), i: branch(odd), b: item },
      output: [1, null, 3],
      ran: 'l i#0 b#0 i#1 i#2 b#2',
      skipped: 'b#1',
    },
  ],
  [
    23,
    {
      graph: 't→l, l.body→b(l), l.body→c(l)',
      nodes: { l: count(1), b: value(1), c: value(2) },
      output: [{ b: 1, c: 2 }],
      ran: 'l b#0 c#0',
    },
  ],
  [
    24,
    {
      graph: 't→l, l.body→b(l), o(l)',
      nodes: { l: list([]) },
      status: 'failed',
      error: `${UNREACHABLE}o (no path from the body of l)`,
    },
  ],
  [25, { graph: 't→l', nodes: { l: count(2) }, output: [null, null], ran: 'l' }],
  [
    26,
    {
      graph: 't→i, i.true→l, l.body→b(l), l.done→z',
      nodes: { i: branch(false) },
      output: null,
      ran: 'i',
      skipped: 'l z',
    },
  ],
  [
    27,
    {
      graph: 't→a→z',
      nodes: { a: () => ({ status: 'failed', message: 'boom' }) },
      status: 'failed',
      error: 'Node a ("A") failed: boom',
      ran: 'a',
    },
  ],
])('V1 %i', ([, row]) => {
  const graph = compileSketch(row.graph)
  const start = row.start ?? { kind: 'api', input: row.input ?? {} }
  const run = startGraphRun(graph, start, row.ceiling === undefined ? {} : { ceiling: row.ceiling })
  const seen =
    (id: string): Behaviour =>
    ({ upstream }) => {
      const others = [...graph.nodes.values()].flatMap((node) => {
        const found =
          node.role === 'trigger' || (node.role === 'pure' && node.type === 'if-else')
            ? null
            : upstream(node.id)
        if (!found?.ok) return []
        return node.role === 'loop' ? `${node.id}=${JSON.stringify(found.value)}` : node.id
      })
      return { status: 'completed', output: `${id}(${others.sort().join(' ')})` }
    }
  const { plan, ran } = execute(run, (id) => row.nodes?.[id] ?? seen(id))
  const skipped = takeChanges(run).flatMap((change) =>
    change.kind === 'node' && change.status === 'skipped' ? label(change.path, change.nodeId) : [],
  )

  expect(plan).toMatchObject({
    status: row.status ?? 'completed',
    error: row.error ?? null,
    start: [],
    running: [],
  })
  expect(plan.output).toEqual(row.output ?? null)
  expect(ran.join(' ')).toBe(row.ran ?? '')
  expect(skipped.sort()).toEqual((row.skipped ?? '').split(' ').filter(Boolean).sort())
})
