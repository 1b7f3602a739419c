import type { TracedNode } from '@troupe/contract/builder'
import type { GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { ownRow, sampleRows } from './sample-rows.ts'

const node = (id: string, type: string, config = {}): GraphNode => ({
  ...{ id, type, name: id, config, parentId: null },
  position: { x: 0, y: 0 },
})
const row = (
  nodeId: string,
  path: string,
  seq: number,
  status: TracedNode['status'] = 'completed',
): TracedNode => ({
  ...{
    nodeId,
    path,
    seq,
    status,
    name: nodeId,
    type: '',
    attempts: 1,
    handles: null,
    error: null,
    note: null,
  },
  ...{ agentRunId: null, seeded: null, inputTokens: 0, outputTokens: 0 },
  ...{ startedMs: null, completedMs: null, retryMs: null },
})
const step = node('say', 'edit-fields', { rows: [{ name: 'a', value: '{{ upstream.in.output }}' }] })
const graph = { nodes: [node('start', 'manual-trigger'), node('in', 'edit-fields'), step], edges: [] }

test('the values of a step are those of its own iteration, including the trigger’s', () => {
  const rows = [
    row('start', '', 1),
    row('in', 'each[0]', 2),
    row('in', 'each[1]', 3),
    row('say', 'each[1]', 4),
  ]
  const found = sampleRows(graph, step, [], [...rows, row('in', 'each[2]', 5)])
  expect(found.map(({ nodeId, path }) => `${nodeId} ${path}`)).toEqual(['start ', 'in each[1]'])
  expect(ownRow('say', rows)?.seq).toBe(4)
})

test('a step that did not run has the last values, and a failed step has none', () => {
  const rows = [row('start', '', 1), row('in', '', 2), row('in', '', 3, 'failed')]
  expect(sampleRows(graph, step, [], rows).map(({ seq }) => seq)).toEqual([1, 2])
  expect(ownRow('say', rows)).toBeNull()
})
