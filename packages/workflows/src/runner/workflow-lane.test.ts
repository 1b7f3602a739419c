import { BEGUN_ELSEWHERE } from '@troupe/durable-work'
import { compileGraph, type NodeTypes } from '@troupe/graph'
import { expect, test, vi } from 'vitest'
import type { WorkflowDependencies } from '../execution/dependencies.ts'
import type { ClaimedWorkflowRun, WorkflowCommit } from '../ports/workflow-store.ts'
import { WorkflowLane } from './workflow-lane.ts'

const TYPES: NodeTypes = new Map([
  ['start', { role: 'trigger', handles: () => ['out'] }],
  ['each', { role: 'loop', handles: () => ['body', 'done'] }],
])

test('a run whose Loop was opened in a shape of another version ends as failed with an error message', async () => {
  const nodes = ['start', 'each'].map((id) => ({
    ...{ id, type: id, name: id, parentId: null, position: { x: 0, y: 0 }, config: {} },
  }))
  const graph = compileGraph({ nodes, edges: [] }, TYPES)
  const commits: WorkflowCommit[] = []
  const backgroundFailed = vi.fn()
  const lane = new WorkflowLane({
    store: { commit: async (sent: WorkflowCommit) => void commits.push(sent) },
    telemetry: { backgroundFailed },
    handlers: new Map(),
    graph: async () => graph,
    now: () => 0,
  } as unknown as WorkflowDependencies)
  const opened = { path: '', nodeId: 'each', status: 'running', input: { mode: 'until' } }
  const run = {
    ...{ fence: { runId: 'run', workerId: 'w', slice: 1 }, organizationId: 'o', waiter: null, test: null },
    ...{ source: 'api_async', firedNodeId: null, input: {}, variables: {}, iterations: [] },
    ...{ nodeRuns: [opened], lastSeq: 1, storedBytes: 0 },
  } as unknown as ClaimedWorkflowRun
  const turn = await lane.begin(run)
  const end = { status: 'failed', output: null, error: BEGUN_ELSEWHERE }
  expect(await turn.work()).toEqual({ kind: 'ended', ...end })
  expect(commits).toMatchObject([{ to: end, nodeRuns: [] }])
  expect(String(backgroundFailed.mock.calls[0]?.[1])).toContain('the step /each')
})
