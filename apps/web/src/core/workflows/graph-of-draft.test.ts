import { edge, node } from '@troupe/editor/testing/draft'
import { expect, test } from 'vitest'
import { draftOf, graphOf } from './graph-of-draft.ts'

test('a draft is read once, and its graph comes back with the same steps', () => {
  const stored = { nodes: [{ ...node('a') }], edges: [] }
  expect(graphOf(stored)).toBe(graphOf(stored))
  const graph = { nodes: [node('a'), node('b')], edges: [edge('a', 'b')], expose: 'mcp' as const }
  const draft = draftOf(graph)
  expect(draft).toEqual(graph)
  expect(graphOf(draft)).toBe(graph)
})
