import { NO_TELEMETRY } from '@troupe/agents/testing/no-telemetry'
import { TurnWorker } from '@troupe/durable-work'
import { compileGraph, type NodeTypes } from '@troupe/graph'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NodeFailure, type NodeHandlers } from '../ports/node-handler.ts'
import type { ClaimedWorkflowRun, WorkflowCommit } from '../ports/workflow-store.ts'
import { WorkflowLane } from '../runner/workflow-lane.ts'
import type { WorkflowDependencies } from './dependencies.ts'
import { LateRetries, LONGEST_HELD_RETRY_MS } from './late-retries.ts'
import { LoopShares } from './loop-shares.ts'

const SECOND = 1_000
const types: NodeTypes = new Map([
  ['start', { role: 'trigger', handles: () => ['out'] }],
  ['work', { role: 'effect', handles: () => ['out'] }],
])

function graphOf(...workers: string[]) {
  const node = (id: string, type: string) => ({
    ...{ id, type, name: id, parentId: null, position: { x: 0, y: 0 }, config: {} },
  })
  const nodes = [node('start', 'start'), ...workers.map((id) => node(id, 'work'))]
  const edges = workers.map((id) => ({ id, source: 'start', sourceHandle: 'out', target: id }))
  return compileGraph({ nodes, edges }, types)
}

/** A worker of one run whose nodes behave as the test defines, on a store that accepts everything. */
function setUp(
  work: Readonly<Record<string, (retry: number) => Promise<void>>>,
  { retryDelaySeconds = 40, parallelNodes = 3 } = {},
) {
  const calls: string[] = []
  const commits: WorkflowCommit[] = []
  const trace = { input: null, agentRunId: null, inputTokens: 0, outputTokens: 0 }
  const handlers: NodeHandlers = new Map([
    [
      'work',
      {
        kind: 'effect',
        timing: () => ({ timeoutSeconds: 900, retries: 2, retryDelaySeconds }),
        async execute({ node, retry }) {
          calls.push(`${node.id} ${retry} at ${Date.now() / SECOND}`)
          await work[node.id]?.(retry)
          return { ...trace, result: { status: 'completed', output: node.id } }
        },
      },
    ],
  ])
  const deps = {
    store: {
      async commit(commit: WorkflowCommit) {
        commits.push(commit)
        return { kind: 'committed', status: commit.to.status, slice: 1 }
      },
    },
    engine: { dispatch: vi.fn(async () => {}) },
    signals: { publish: async () => {}, subscribe: () => () => {} },
    telemetry: NO_TELEMETRY,
    active: { draining: false, add() {}, background() {} },
    handlers,
    reviews: { answers: async () => [], opened() {} },
    graph: async () => graphOf(...Object.keys(work)),
    services: () => ({}),
    now: () => Date.now(),
    loopCeiling: 100,
    parallelNodes,
    shares: new LoopShares(),
  } as unknown as WorkflowDependencies
  const run = {
    fence: { runId: 'run', workerId: 'w', slice: 0 },
    ...{ source: 'api_async', input: {}, variables: {}, nodeRuns: [], iterations: [] },
    ...{ lastSeq: 0, storedBytes: 0 },
  } as unknown as ClaimedWorkflowRun
  return { calls, commits, working: new TurnWorker(new WorkflowLane(deps), deps).work(run) }
}

const after = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * SECOND))
const failFirst = async (retry: number) => {
  if (retry === 0) throw new NodeFailure('it is down')
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('late retries are due in the order of their times, each once', () => {
  const late = new LateRetries()
  const place = (nodeId: string) => ({ path: '', nodeId, iteration: null })
  late.keep(place('b'), 20)
  late.keep(place('a'), 10)
  expect(late.firstAt).toBe(10)
  expect(late.takeDue(9)).toBeNull()
  expect(late.takeDue(10)).toEqual(place('a'))
  expect(late.takeDue(10)).toBeNull()
  expect(late.takeAll()).toEqual([place('b')])
  expect(late.firstAt).toBeNull()
})

test('a worker that is busy with another branch retries at the due time', async () => {
  const { calls, working } = setUp({ late: failFirst, slow: () => after(55) })
  await vi.advanceTimersByTimeAsync(56 * SECOND)
  expect(await working).toMatchObject({ kind: 'ended', status: 'completed' })
  expect(calls).toEqual(['late 0 at 0', 'slow 0 at 0', 'late 1 at 40'])
})

test('a worker without a free slot retries when it has one, and is idle until then', async () => {
  const { calls, commits, working } = setUp({ late: failFirst, slow: () => after(55) }, { parallelNodes: 1 })
  await vi.advanceTimersByTimeAsync(50 * SECOND)
  const before = commits.length
  await vi.advanceTimersByTimeAsync(4 * SECOND)
  expect(commits).toHaveLength(before)
  await vi.advanceTimersByTimeAsync(SECOND)
  expect(await working).toMatchObject({ kind: 'ended', status: 'completed' })
  expect(calls).toEqual(['late 0 at 0', 'slow 0 at 0', 'late 1 at 55'])
})

test('a worker without other work releases the run until then', async () => {
  const { calls, commits, working } = setUp({ late: failFirst })
  expect(await working).toEqual({ kind: 'yielded', slice: 1, dueAt: 40 * SECOND })
  expect(commits.at(-1)).toMatchObject({ to: { status: 'yielded', dueAt: 40 * SECOND } })
  const row = commits.flatMap(({ nodeRuns }) => nodeRuns).findLast(({ nodeId }) => nodeId === 'late')
  expect(row).toMatchObject({ status: 'running', attempt: 1, retry: 1, retryAt: 40 * SECOND })
  expect(calls).toEqual(['late 0 at 0'])
})

test('a shorter wait is held, and a failure elsewhere ends the longer one', async () => {
  const held = setUp({ soon: failFirst }, { retryDelaySeconds: LONGEST_HELD_RETRY_MS / SECOND })
  await vi.advanceTimersByTimeAsync(LONGEST_HELD_RETRY_MS)
  expect(await held.working).toMatchObject({ kind: 'ended', status: 'completed' })
  const failing = async () => {
    await after(10)
    throw new Error('a defect')
  }
  const closed = setUp({ late: failFirst, broken: failing })
  await vi.advanceTimersByTimeAsync(11 * SECOND)
  expect(await closed.working).toMatchObject({
    kind: 'ended',
    status: 'failed',
    error: 'Node broken ("broken") failed: it failed unexpectedly',
  })
  const rows = closed.commits.flatMap(({ nodeRuns }) => nodeRuns)
  expect(rows.findLast(({ nodeId }) => nodeId === 'late')).toMatchObject({
    status: 'failed',
    error: 'Aborted.',
  })
})
