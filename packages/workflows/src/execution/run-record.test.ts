import { StepUnreadable } from '@troupe/durable-work'
import { compileGraph, type NodeTypes } from '@troupe/graph'
import { expect, test } from 'vitest'
import type { ClaimedWorkflowRun, StoredNodeRun } from '../ports/workflow-store.ts'
import { recordOf } from './run-record.ts'

const TYPES: NodeTypes = new Map([
  ['start', { role: 'trigger', handles: () => ['out'] }],
  ['work', { role: 'effect', handles: () => ['out'] }],
  ['each', { role: 'loop', handles: () => ['body', 'done'] }],
])

const nodes = ['start', 'work', 'each'].map((id) => ({
  ...{ id, type: id, name: id, parentId: null, position: { x: 0, y: 0 }, config: {} },
}))
const graph = compileGraph({ nodes, edges: [] }, TYPES)

function record(nodeId: string, input: unknown, status: StoredNodeRun['status'] = 'running') {
  const row = { path: '', nodeId, status, input } as StoredNodeRun
  const run = { nodeRuns: [row], iterations: [], variables: {}, storedBytes: 0 }
  return recordOf(run as unknown as ClaimedWorkflowRun, graph).nodes[0]
}

test.each([
  [{ mode: 'list', items: [1, { a: null }] }],
  [{ mode: 'count', count: 3 }],
  [{ mode: 'while' }],
])('an open Loop continues with %j', (range) => {
  expect(record('each', range)).toEqual({ path: '', nodeId: 'each', status: 'running', range })
})

test.each([
  ['a mode that is not known', { mode: 'until', limit: 3 }],
  ['a list without items', { mode: 'list', from: 1 }],
  ['no mode', [1, 2]],
])('an open Loop with %s is not read as another one', (_, input) => {
  expect(() => record('each', input)).toThrow(StepUnreadable)
})

test('the input of a running effect is its trace, even when it has a mode', () => {
  expect(record('work', { mode: 'list', items: [] })).toEqual({ path: '', nodeId: 'work', status: 'running' })
})

test('the input of a Loop that has ended is its trace', () => {
  expect(record('each', { mode: 'until' }, 'failed')).not.toHaveProperty('range')
})
