import { newId, WorkflowRunId } from '@troupe/contract'
import { compileGraph, type Graph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { SourceStep } from '@troupe/storage'
import { expect, test } from 'vitest'
import { candidates } from './test-seeds.ts'

const node = (id: string, type: string, config: Record<string, unknown> = {}) => ({
  ...{ id, type, name: id, parentId: null, position: { x: 0, y: 0 }, config },
})
const GRAPH: Graph = {
  nodes: [
    node('start', 'manual-trigger'),
    node('check', 'if-else'),
    node('sort', 'classify', { classes: [{ id: 'urgent', name: 'Urgent' }] }),
    node('last', 'edit-fields'),
  ],
  edges: [],
}
const compiled = compileGraph(GRAPH, NODE_TYPES)
const SCOPE = { kind: 'only', nodeId: 'last', path: null } as const

const stepOf = (nodeId: string): SourceStep => ({
  ...{ nodeId, path: '', status: 'completed', handles: ['out'], iterations: 0 },
})
const source = (steps: SourceStep[]) => ({ runId: newId(WorkflowRunId), traceErased: false, steps })
const seedsOf = (...args: [Parameters<typeof candidates>[2], Parameters<typeof candidates>[3]]) =>
  candidates(compiled, SCOPE, ...args)

test('steps of the source that the draft no longer has are omitted, and so is its trigger', () => {
  const steps = ['start', 'gone', 'sort'].map(stepOf)
  const { seeds } = seedsOf({}, source(steps))
  expect(seeds.map(({ nodeId }) => nodeId)).toEqual(['sort'])
})

test('nothing is copied from a source that retention has erased', () => {
  expect(seedsOf({}, { ...source([stepOf('sort')]), traceErased: true }).seeds).toEqual([])
})

test('the handle of an If / Else is its whole output, so that nothing is copied or requested', () => {
  const values = [{ nodeId: 'check', handles: ['false'] }]
  for (const from of [null, source([stepOf('check')])]) {
    const { seeds, unknown } = seedsOf({ values }, from)
    expect(seeds[0]).toMatchObject({ nodeId: 'check', output: { branch: 'false' }, handles: ['false'] })
    expect(seeds[0]).not.toHaveProperty('copy')
    expect(unknown.size).toBe(0)
  }
})

test('the handle of another step replaces its fields of the copied output, which is requested without a source', () => {
  const values = [{ nodeId: 'sort', handles: ['other'] }]
  const [copied] = seedsOf({ values }, source([stepOf('sort')])).seeds
  expect(copied).toMatchObject({
    copy: { path: '', fields: { category: 'Other', categoryId: 'other' } },
    handles: ['other'],
  })
  expect(seedsOf({ values }, null).unknown.size).toBe(1)
})

test('a typed output is used unchanged, even null', () => {
  const values = [{ nodeId: 'sort', handles: ['other'], output: null }]
  const { seeds, unknown } = seedsOf({ values }, source([stepOf('sort')]))
  expect(seeds[0]).toMatchObject({ output: null, origin: 'typed' })
  expect(unknown.size).toBe(0)
})
