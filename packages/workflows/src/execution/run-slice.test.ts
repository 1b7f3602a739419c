import { NO_TELEMETRY } from '@troupe/agents/testing/no-telemetry'
import { compileGraph, type NodeResult, type NodeType, parseGraph } from '@troupe/graph'
import { expect, test } from 'vitest'
import { NodeFailure, type NodeHandler } from '../ports/node-handler.ts'
import type { ClaimedWorkflowRun, CommitOutcome, WorkflowCommit } from '../ports/workflow-store.ts'
import type { WorkflowDependencies } from './dependencies.ts'
import { LoopShares } from './loop-shares.ts'
import { RunSlice } from './run-slice.ts'

const out = () => ['out']
const TYPES = new Map<string, NodeType>([
  ['start', { role: 'trigger', trigger: 'manual', handles: out }],
  ['big', { role: 'pure', handles: out }],
  ['heavy', { role: 'pure', handles: out }],
  ['call', { role: 'effect', handles: out }],
  ['late', { role: 'effect', handles: out }],
  ['broken', { role: 'effect', handles: out }],
])
/** Uses this many milliseconds of CPU time. */
function spin(milliseconds: number): number {
  const before = process.threadCpuUsage()
  for (let used = 0; used < milliseconds; ) {
    const { user, system } = process.threadCpuUsage(before)
    used = (user + system) / 1000
  }
  return milliseconds
}

const nothing = { input: null, agentRunId: null, inputTokens: 0, outputTokens: 0 }
const completed = (output: unknown): NodeResult => ({ status: 'completed', output })

interface Setting {
  /** Names are types with a number: `call1`; each follows the trigger. */
  nodes: readonly string[]
  edges?: readonly (readonly [string, string])[]
  big?: unknown
  shares?: LoopShares
  commit(sent: WorkflowCommit): CommitOutcome
}

/** One turn of a run, with its commits and the effects that it started. */
function turn({ nodes, edges, big = null, shares = new LoopShares(), commit }: Setting) {
  const graph = parseGraph({
    nodes: ['start', ...nodes].map((id) => ({
      ...{ id, name: id, type: id.replace(/\d+$/, ''), position: { x: 0, y: 0 }, config: {} },
    })),
    edges: (edges ?? nodes.map((id) => ['start', id] as const)).map(([source, target]) => ({
      ...{ id: `${source}-${target}`, source, sourceHandle: 'out', target },
    })),
  })
  if (!graph.ok) throw new Error(JSON.stringify(graph))
  const started: string[] = []
  const commits: WorkflowCommit[] = []
  const handlers = new Map<string, NodeHandler>([
    ['start', { kind: 'pure', execute: () => ({ ...nothing, result: completed({}) }) }],
    ['big', { kind: 'pure', execute: () => ({ ...nothing, result: completed(big) }) }],
    ['heavy', { kind: 'pure', execute: () => ({ ...nothing, result: completed(spin(25)) }) }],
    [
      'call',
      {
        kind: 'effect',
        timing: () => ({ timeoutSeconds: 5, retries: 0, retryDelaySeconds: 1 }),
        execute: async ({ node }) => {
          started.push(node.id)
          return { ...nothing, result: completed(node.id) }
        },
      },
    ],
    [
      'late',
      {
        kind: 'effect',
        timing: () => ({ timeoutSeconds: 0.01, retries: 0, retryDelaySeconds: 1 }),
        execute: ({ given, signal }) => {
          given('asked late')
          return new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          })
        },
      },
    ],
    [
      'broken',
      {
        kind: 'effect',
        timing: () => ({ timeoutSeconds: 5, retries: 0, retryDelaySeconds: 1 }),
        execute: async ({ given }) => {
          given('asked in vain')
          throw new NodeFailure('nobody answers', { inputTokens: 3 })
        },
      },
    ],
  ])
  const deps = {
    store: {
      commit: async (sent: WorkflowCommit) => {
        commits.push(sent)
        return commit(sent)
      },
    },
    reviews: { answers: async () => [] },
    ...{ handlers, telemetry: NO_TELEMETRY, services: () => ({}), now: () => Date.now() },
    shares,
    ...{ parallelNodes: 10, loopCeiling: 100, workerId: 'w' },
  } as unknown as WorkflowDependencies
  const run = {
    fence: { runId: 'run', workerId: 'w', slice: 0 },
    ...{ source: 'api_async', firedNodeId: null, input: {}, variables: {}, nodeRuns: [], iterations: [] },
    ...{ lastSeq: 0, storedBytes: 0 },
  } as unknown as ClaimedWorkflowRun
  const slice = new RunSlice(deps, run, compileGraph(graph.value, TYPES), new AbortController())
  return { started, commits, end: slice.work() }
}

const going = (): CommitOutcome => ({ kind: 'committed', status: 'running', slice: 0 })

test('an effect whose commit finds a budget used up does not start, and the run is paused until it is resumed', async () => {
  const refused = (sent: WorkflowCommit): CommitOutcome =>
    sent.starting?.length ? { kind: 'out_of_budget' } : { kind: 'paused' }
  const { started, commits, end } = turn({ nodes: ['big1', 'call1', 'call2'], commit: refused })
  expect(await end).toEqual({ kind: 'suspended' })
  expect(started).toEqual([])
  const [first, last] = commits
  expect(first?.starting?.map(({ nodeId }) => nodeId)).toEqual(['call1', 'call2'])
  expect(first?.nodeRuns.map(({ nodeId }) => nodeId)).toEqual(['start', 'big1'])
  expect(last?.to.status).toBe('yielded')
})

test('running effects end and are written when a budget is used up; their successors do not start', async () => {
  const edges = [['start', 'call1'] as const, ['call1', 'call2'] as const]
  let asked = 0
  const secondRefused = (sent: WorkflowCommit): CommitOutcome => {
    if (!sent.starting?.length) return asked > 1 ? { kind: 'paused' } : going()
    asked += 1
    return asked > 1 ? { kind: 'out_of_budget' } : going()
  }
  const { started, commits, end } = turn({ nodes: ['call1', 'call2'], edges, commit: secondRefused })
  expect(await end).toEqual({ kind: 'suspended' })
  expect(started).toEqual(['call1'])
  const written = commits.flatMap(({ nodeRuns }) =>
    nodeRuns.map(({ nodeId, status }) => `${nodeId} ${status}`),
  )
  expect(written).toContain('call1 completed')
})

test.each([
  ['late', 'it took longer than 0.01 seconds', 'asked late'],
  ['broken', 'nobody answers', 'asked in vain'],
])('the row of an effect that fails (%s: %s) has its input', async (node, error, input) => {
  const ending = ({ to }: WorkflowCommit): CommitOutcome =>
    to.status === 'running' ? going() : { kind: 'committed', status: 'failed', slice: 0 }
  const { commits, end } = turn({ nodes: [node], commit: ending })
  expect(await end).toMatchObject({ kind: 'ended', status: 'failed' })
  const row = commits.flatMap(({ nodeRuns }) => nodeRuns).find(({ nodeId }) => nodeId === node)
  expect(row).toMatchObject({ status: 'failed', error, input, output: null })
})

test('outputs of more than 50 MB in total fail the run, naming the limit', async () => {
  const big = 'x'.repeat(4_000_000)
  const ending = ({ to }: WorkflowCommit): CommitOutcome =>
    to.status === 'running' ? going() : { kind: 'committed', status: 'failed', slice: 0 }
  const nodes = (count: number) => Array.from({ length: count }, (_, i) => `big${i}`)
  const within = turn({ nodes: nodes(13), big, commit: ending })
  expect(await within.end).toMatchObject({ kind: 'ended', status: 'completed' })
  const beyond = turn({ nodes: nodes(14), big, commit: ending })
  expect(await beyond.end).toMatchObject({
    kind: 'ended',
    status: 'failed',
    output: null,
    error: expect.stringMatching(
      /^Node big\d+ \("big\d+"\) failed: the outputs of the run are 53\.5 MB with this one, more than the 50 MB of a run$/,
    ),
  })
})

test('heavy pure nodes leave the event loop to others, and fail if they have computed too long', async () => {
  const nodes = ['heavy1', 'heavy2', 'heavy3', 'heavy4']
  const edges = nodes.map((id, index) => [nodes[index - 1] ?? 'start', id] as const)
  const ending = (): CommitOutcome => ({ kind: 'committed', status: 'failed', slice: 0 })
  const startedAt = performance.now()
  const shares = new LoopShares(undefined, 60)
  const { end } = turn({ nodes, edges, shares, commit: ending })
  expect(await end).toMatchObject({
    kind: 'ended',
    status: 'failed',
    error: expect.stringMatching(/^Node heavy4 .+ have taken more than 30 seconds of computing/),
  })
  // Three times 25 ms of computing, and each time five times as long for others.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(3 * 25 * 6 - 10)
})
