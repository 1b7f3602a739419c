import { expect, test } from 'vitest'
import { isForeignSnippet } from './foreign-snippet.ts'

const is = (value: unknown) => isForeignSnippet(typeof value === 'string' ? value : JSON.stringify(value))
const set = { name: 'Set', type: 'n8n-nodes-base.set' }

test('copied nodes of n8n and Dify are recognised, and nothing else', () => {
  expect(is({ nodes: [set], connections: {}, pinData: {}, meta: { instanceId: 'x' } })).toBe(true)
  expect(
    is({ kind: 'dify-workflow-clipboard', version: '0.6.0', nodes: [{ id: 'a', data: {} }], edges: [] }),
  ).toBe(true)
  for (const other of [
    '',
    'nodes',
    '[]',
    { nodes: [], connections: {} },
    { nodes: [{ type: 'n8n-nodes-base.set' }], connections: {} },
    { nodes: [set], connections: [] },
    { nodes: [set] },
    { kind: 'other-clipboard', nodes: [{ id: 'a' }], edges: [] },
    { troupe: 'graph/1', nodes: [set], edges: [] },
    `{"nodes": ${'['.repeat(70)}${']'.repeat(70)}, "connections": {}}`,
  ]) {
    expect(is(other), JSON.stringify(other)).toBe(false)
  }
})
