import { expect, test } from 'vitest'
import { recogniseWorkflowFile } from './workflow-file.ts'

const GRAPH = { nodes: [], edges: [] }

test('a graph and a downloaded workflow are ours', () => {
  expect(recogniseWorkflowFile(JSON.stringify(GRAPH))).toEqual({ kind: 'graph', draft: GRAPH })
  expect(recogniseWorkflowFile(JSON.stringify({ name: 'A', draft: GRAPH }))).toEqual({
    kind: 'graph',
    draft: GRAPH,
  })
})

test.each([
  ['an export of n8n, which has connections', '{"nodes": [], "connections": {}}'],
  ['with an id that no double has', '{"nodes": [{"id": 1001234567890123456789}], "connections": {}}'],
  ['an export of Dify', 'app:\n  mode: workflow\nworkflow:\n  graph:\n    nodes: []\n'],
  ['any other JSON', '[1]'],
])('the server reads %s', (_, text) => {
  expect(recogniseWorkflowFile(text)).toEqual({ kind: 'foreign' })
})

test('broken JSON, and a number of a graph that would change, are not sent', () => {
  expect(recogniseWorkflowFile(' {"nodes": [')).toEqual({ kind: 'unreadable', fault: null })
  expect(recogniseWorkflowFile('{"nodes": [{"a": 1001234567890123456789}], "edges": []}')).toMatchObject({
    kind: 'unreadable',
    fault: expect.stringContaining('nodes'),
  })
})
