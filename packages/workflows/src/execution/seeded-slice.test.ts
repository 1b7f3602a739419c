import { NO_TELEMETRY } from '@troupe/agents/testing/no-telemetry'
import { newId, WorkflowRunId } from '@troupe/contract'
import {
  compileGraph,
  type NodeResult,
  type NodeType,
  parseGraph,
  planTest,
  type Seed,
  type TestScope,
} from '@troupe/graph'
import { expect, test } from 'vitest'
import type { NodeHandler } from '../ports/node-handler.ts'
import type {
  ClaimedWorkflowRun,
  CommitOutcome,
  StoredIteration,
  StoredNodeRun,
  WorkflowCommit,
} from '../ports/workflow-store.ts'
import type { WorkflowDependencies } from './dependencies.ts'
import { LoopShares } from './loop-shares.ts'
import { RunSlice } from './run-slice.ts'

const SOURCE_RUN = newId(WorkflowRunId)

const out = () => ['out']
const TYPES = new Map<string, NodeType>([
  ['start', { role: 'trigger', trigger: 'manual', handles: out }],
  ['add', { role: 'pure', handles: out }],
  ['each', { role: 'loop', handles: () => ['body', 'done'] }],
  ['call', { role: 'effect', handles: out }],
])
const NOTHING = { input: null, agentRunId: null, inputTokens: 0, outputTokens: 0 }

/** Counts iterations of `each2` and of `each` below 100 in the variable `sum`. */
const HANDLERS = (executed: string[]) =>
  new Map<string, NodeHandler>([
    ['start', { kind: 'pure', execute: () => ({ ...NOTHING, result: { status: 'completed', output: {} } }) }],
    [
      'add',
      {
        kind: 'pure',
        execute: ({ scope }) => {
          const sum = Number(scope.variables.get('sum') ?? 0) + Number(scope.loop?.item ?? 0)
          const result: NodeResult = { status: 'completed', output: sum, variables: { sum } }
          return { ...NOTHING, result }
        },
      },
    ],
    [
      'each',
      {
        kind: 'pure',
        execute: () => ({
          ...NOTHING,
          result: { status: 'repeat', range: { mode: 'list', items: [1, 2, 3, 4] } },
        }),
      },
    ],
    [
      'call',
      {
        kind: 'effect',
        timing: () => ({ timeoutSeconds: 5, retries: 0, retryDelaySeconds: 1 }),
        execute: async ({ node, path, scope }) => {
          executed.push(path === '' ? node.id : `${path} ${node.id}`)
          const output = `${node.id} ran with ${JSON.stringify(scope.variables.get('sum') ?? null)}`
          return { ...NOTHING, result: { status: 'completed', output } }
        },
      },
    ],
  ])

/** `start → call1 → each{add1 → call2} → call3 → add2 → call4`. */
const NODES: [id: string, parent: string | null][] = [
  ['start', null],
  ['call1', null],
  ['each1', null],
  ['add1', 'each1'],
  ['call2', 'each1'],
  ['call3', null],
  ['add2', null],
  ['call4', null],
]
const EDGES = [
  'start call1',
  'call1 each1',
  'each1.body add1',
  'add1 call2',
  'each1.done call3',
  'call3 add2',
  'add2 call4',
]

function graph(disabled: readonly string[] = []) {
  const parsed = parseGraph({
    nodes: NODES.map(([id, parentId]) => ({
      ...{ id, parentId, name: id, type: id.replace(/\d+$/, '') },
      disabled: disabled.includes(id),
    })),
    edges: EDGES.map((edge) => {
      const [from = '', target = ''] = edge.split(' ')
      const [source, sourceHandle = 'out'] = from.split('.')
      return { id: edge.replaceAll(' ', '-'), source, sourceHandle, target }
    }),
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return compileGraph(parsed.value, TYPES)
}

/** The rows of one run, like the database: everything of a commit, or nothing. */
class Rows {
  readonly nodes = new Map<string, StoredNodeRun>()
  readonly iterations = new Map<string, StoredIteration>()
  variables: Record<string, unknown> = {}
  commits = 0

  apply({ nodeRuns, starting = [], iterations, variables }: WorkflowCommit): void {
    this.commits += 1
    // Rows are JSON in the database.
    const stored = JSON.parse(JSON.stringify([...nodeRuns, ...starting])) as StoredNodeRun[]
    for (const row of stored) this.nodes.set(`${row.path} ${row.nodeId}`, row)
    for (const row of iterations) this.iterations.set(`${row.path} ${row.nodeId} ${row.index}`, row)
    this.variables = variables ?? this.variables
  }

  claimed(of: ClaimedWorkflowRun['test']): ClaimedWorkflowRun {
    const nodeRuns = [...this.nodes.values()]
    return {
      fence: { runId: 'run', workerId: 'w', slice: 0 },
      ...{ source: 'builder', firedNodeId: null, input: {}, variables: this.variables },
      nodeRuns,
      iterations: [...this.iterations.values()],
      ...{ lastSeq: Math.max(0, ...nodeRuns.map(({ seq }) => seq)), storedBytes: 0, test: of },
    } as unknown as ClaimedWorkflowRun
  }
}

/** Runs to the end; the process is killed right after the commits with these numbers, and the next one claims the run. */
async function play(
  scope: TestScope | null,
  seeds: readonly Seed[],
  killedAfter: ReadonlySet<number> = new Set(),
  disabled: readonly string[] = [],
) {
  const rows = new Rows()
  const executed: string[] = []
  const of = scope && { scope, seeds, effects: false, testerId: null, secretNames: [] }
  for (;;) {
    let isDead = false
    const deps = {
      store: {
        commit: async (sent: WorkflowCommit): Promise<CommitOutcome> => {
          if (isDead) return { kind: 'lost', status: null }
          rows.apply(sent)
          isDead = killedAfter.has(rows.commits)
          if (isDead) return { kind: 'lost', status: null }
          const { status } = sent.to
          return { kind: 'committed', status: status === 'yielded' ? 'running' : status, slice: 0 }
        },
        settleCancelled: async () => {},
      },
      reviews: { answers: async () => [] },
      ...{
        handlers: HANDLERS(executed),
        telemetry: NO_TELEMETRY,
        services: () => ({}),
        now: () => Date.now(),
      },
      ...{ shares: new LoopShares(), parallelNodes: 10, loopCeiling: 100, workerId: 'w' },
    } as unknown as WorkflowDependencies
    const slice = new RunSlice(deps, rows.claimed(of), graph(disabled), new AbortController())
    const end = await slice.work()
    if (!isDead) return { end, rows, executed }
  }
}

const FROM_RUN = {
  path: '',
  handles: null,
  variables: null,
  iterations: null,
  origin: 'run',
  fromRunId: SOURCE_RUN,
} as const
const seed = (nodeId: string, more: Partial<Seed>): Seed => ({ ...FROM_RUN, nodeId, output: null, ...more })
const SOURCE: Seed[] = [
  seed('call1', { output: 'stored 1' }),
  seed('each1', { output: ['a', 'b'], variables: { sum: 10 } }),
  seed('each1', { iterations: ['a', 'b'], variables: { sum: 3 } }),
  seed('call3', { output: 'stored 3' }),
  seed('call4', { output: 'stored 4' }),
]
const stateOf = (rows: Rows) =>
  [...rows.nodes.values()].map(
    ({ path, nodeId, status, seeded }) => `${path} ${nodeId} ${status}${seeded ? ' seeded' : ''}`,
  )

test('a whole Loop and the effects before the step are seeded; only the step runs, with the variables at that point', async () => {
  const { end, rows, executed } = await play({ kind: 'only', nodeId: 'call4', path: null }, SOURCE)
  expect(end).toEqual({ kind: 'ended', status: 'completed', output: 'call4 ran with 10', error: null })
  expect(executed).toEqual(['call4'])
  expect(stateOf(rows)).toEqual([
    ' start completed',
    ' call1 completed seeded',
    ' each1 completed seeded',
    ' call3 completed seeded',
    ' add2 completed',
    ' call4 completed',
  ])
  // A seeded Loop has no rows of iterations, so its list is its own output.
  expect(rows.nodes.get(' each1')).toMatchObject({ output: ['a', 'b'], handles: ['done'] })
  expect(rows.iterations.size).toBe(0)
})

test('an iteration runs after the stored ones, with their variables, and the Loop ends there', async () => {
  const scope: TestScope = { kind: 'only', nodeId: 'call2', path: 'each1[2]' }
  const { end, rows, executed } = await play(scope, SOURCE)
  expect(executed).toEqual(['each1[2] call2'])
  expect(end).toMatchObject({ status: 'completed', output: ['a', 'b', 'call2 ran with 6'] })
  expect([...rows.iterations.values()].map(({ output }) => output)).toEqual(['a', 'b', 'call2 ran with 6'])
  const from = await play({ ...scope, kind: 'from' }, SOURCE)
  expect(from.executed).toEqual(['each1[2] call2', 'each1[3] call2', 'call3', 'call4'])
})

test.each<TestScope>([
  { kind: 'only', nodeId: 'call4', path: null },
  { kind: 'from', nodeId: 'call2', path: 'each1[2]' },
  { kind: 'until', nodeId: 'call2', path: 'each1[1]' },
  { kind: 'from', nodeId: 'call3', path: null },
  { kind: 'all', nodeId: null, path: null },
])('a test killed after any of its commits ends like an undisturbed one: %j', async (scope) => {
  const seeds = [...SOURCE, seed('call3', { output: 'pinned', path: null, origin: 'pin', fromRunId: null })]
  const plain = await play(scope, seeds)
  const runs = new Set(planTest(graph(), scope, seeds).runs.map(({ nodeId }) => nodeId))
  for (let at = 1; at < plain.rows.commits; at += 1) {
    const killed = await play(scope, seeds, new Set([at]))
    expect([at, killed.end]).toEqual([at, plain.end])
    // Only a running effect is executed again; a seeded step never is.
    expect(new Set(killed.executed)).toEqual(new Set(plain.executed))
    expect(killed.executed.filter((place) => !runs.has(place.split(' ').at(-1) ?? ''))).toEqual([])
    expect(new Set(stateOf(killed.rows))).toEqual(new Set(stateOf(plain.rows)))
  }
  const everywhere = await play(scope, seeds, new Set(Array.from({ length: 50 }, (_, at) => at * 2)))
  expect(everywhere.end).toEqual(plain.end)
})

test('an effect without a result never runs to produce one: the test fails and names it', async () => {
  const scope: TestScope = { kind: 'only', nodeId: 'call4', path: null }
  const { end, executed } = await play(
    scope,
    SOURCE.filter(({ nodeId }) => nodeId !== 'call3'),
  )
  expect(executed).toEqual([])
  expect(end).toMatchObject({
    status: 'failed',
    error: 'Node call3 ("call3") failed: it has no stored result, and this test must not run it',
  })
})

test('disabled steps are stored as completed and never reach a worker, wherever the process is killed', async () => {
  const disabled = ['call1', 'each1', 'call4']
  const whole = await play(null, [], new Set(), disabled)
  expect(whole.executed).toEqual(['call3'])
  expect(whole.end).toMatchObject({ status: 'completed', output: 0 })
  expect(stateOf(whole.rows)).toEqual(
    ['start', 'call1', 'each1', 'call3', 'add2', 'call4'].map((id) => ` ${id} completed`),
  )
  for (let at = 1; at < whole.rows.commits; at += 1) {
    const cut = await play(null, [], new Set([at]), disabled)
    expect(cut.end).toEqual(whole.end)
    expect(stateOf(cut.rows)).toEqual(stateOf(whole.rows))
    expect(new Set(cut.executed)).toEqual(new Set(['call3']))
  }
})
