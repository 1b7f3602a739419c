import type { TracedNode } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { failedRows, nodeRows, timelineMs, withRoot } from './node-rows.ts'

let seq = 0
const node = (nodeId: string, path = '', startedMs: number | null = 1_000): TracedNode => {
  seq += 1
  return {
    ...{ nodeId, name: nodeId, type: 'code', path, seq, status: 'completed', attempts: 1, handles: null },
    ...{ error: null, agentRunId: null, note: null, inputTokens: 0, outputTokens: 0, retryMs: null },
    ...{ seeded: null, startedMs, completedMs: startedMs === null ? null : startedMs + 10 },
  }
}
const shown = (nodes: TracedNode[]) =>
  nodeRows(nodes).map(({ title, depth }) => `${'-'.repeat(depth)}${title}`)

test('the nodes of an iteration are together, below its loop', () => {
  const nodes = [
    node('start'),
    node('loop'),
    node('a', 'loop[0]'),
    node('a', 'loop[1]'),
    node('b', 'loop[0]'),
    node('end'),
  ]
  expect(shown(nodes)).toEqual(['start', 'loop', 'loop[0]', '-a', '-b', 'loop[1]', '-a', 'end'])
})

test('nested loops, and one with the prefix of another’s name', () => {
  const nodes = [
    node('loop'),
    node('inner', 'loop[0]'),
    node('x', 'loop[0]/inner[0]'),
    node('loop2'),
    node('y', 'loop2[0]'),
  ]
  expect(shown(nodes)).toEqual([
    'loop',
    'loop[0]',
    '-inner',
    '-loop[0]/inner[0]',
    '--x',
    'loop2',
    'loop2[0]',
    '-y',
  ])
})

test('an iteration whose loop is not among the nodes is kept', () => {
  expect(shown([node('a', 'loop[7]')])).toEqual(['loop[7]', '-a'])
})

test('times count from the first start', () => {
  const rows = nodeRows([node('a', '', 5_000), node('b', '', 5_400), node('c', '', null)])
  expect(rows.map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([
    [0, 10],
    [400, 10],
    [null, null],
  ])
})

test('failed nodes keep their times, and the iterations that they are in', () => {
  const failed = (one: TracedNode): TracedNode => ({ ...one, status: 'failed' })
  const nodes = [
    node('start', '', 1_000),
    node('loop', '', 1_100),
    node('a', 'loop[0]', 1_200),
    node('inner', 'loop[1]', 1_300),
    failed(node('x', 'loop[1]/inner[0]', 1_400)),
    node('b', 'loop[1]', 1_900),
    failed(node('end', '', 2_000)),
  ]
  const rows = failedRows(nodeRows(nodes))
  expect(rows.map(({ title, startMs, durationMs }) => [title, startMs, durationMs])).toEqual([
    ['loop[1]', 300, 610],
    ['loop[1]/inner[0]', 400, 10],
    ['x', 400, 10],
    ['end', 1_000, 10],
  ])
})

test('where only some nodes are there, times count from the start of the run, and no iteration has an end', () => {
  const rows = nodeRows([node('a', 'loop[7]', 5_400)], { originMs: 5_000 })
  expect(rows.map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([
    [null, null],
    [400, 10],
  ])
})

test('10,000 nodes in 2,000 iterations are ordered quickly', () => {
  const nodes = Array.from({ length: 10_000 }, (_, n) => node(`n${n % 5}`, `loop[${Math.floor(n / 5)}]`))
  expect(nodeRows([node('loop'), ...nodes])).toHaveLength(12_001)
})

test('a loop without its own end ended with its run', () => {
  const loop = { ...node('loop'), status: 'running' as const, completedMs: null }
  const rows = nodeRows([loop, { ...node('a', 'loop[0]'), status: 'failed' }])
  const entity = { id: 'w', name: 'Orders', kind: 'workflow' as const }
  const statuses = (status: 'failed' | 'running') =>
    withRoot(rows, { runId: 'r', entity, status, durationMs: 10 }).map((row) => row.status)
  expect(statuses('failed')).toEqual(['failed', 'failed', null, 'failed'])
  expect(statuses('running')).toEqual(['running', 'running', null, 'failed'])
})

test('the timeline of a run ends with the run, which takes longer than its nodes while it stores a large output', () => {
  const rows = nodeRows([node('a', '', 5_000), node('b', '', 5_120)])
  expect(timelineMs(rows, 900)).toBe(900)
  expect(timelineMs(rows, 100)).toBe(130)
  expect(timelineMs(rows, null)).toBe(130)
  expect(timelineMs([], null)).toBe(1)
})
