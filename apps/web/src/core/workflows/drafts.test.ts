import { isExactGraph, NO_GRAPH, readGraph } from '@troupe/editor/document/read-graph'
import { expect, test } from 'vitest'
import { startingDraft } from './starting-drafts.ts'

test('an invalid graph is read as an empty one', () => {
  expect(readGraph(null)).toEqual(NO_GRAPH)
  expect(readGraph({ nodes: [null, 'x', { id: 'a' }], edges: [{ id: 'e' }] })).toEqual(NO_GRAPH)
})

test('only a graph without unknown parts is saved as changes: the server reports the problems of any other', () => {
  const good = { id: 'a', type: 'edit-fields' }
  const edge = { id: 'e', source: 'a', target: 'a' }
  expect(isExactGraph({ nodes: [{ ...good, position: { x: 0, y: 1 } }], edges: [edge], expose: 'mcp' })).toBe(
    true,
  )
  for (const graph of [
    { nodes: [good, good], edges: [] },
    { nodes: [{ ...good, retries: 3 }], edges: [] },
    { nodes: [{ ...good, disabled: 'yes' }], edges: [] },
    { nodes: [{ ...good, name: 1 }], edges: [] },
    { nodes: [{ ...good, position: { x: 'left', y: 0 } }], edges: [] },
    { nodes: [{ ...good, config: [] }], edges: [] },
    { nodes: [good], edges: [{ ...edge, sourceHandle: 1 }] },
    { nodes: [good], edges: [edge], groups: [] },
    { nodes: [{ id: 'a' }], edges: [] },
    null,
  ])
    expect(isExactGraph(graph), JSON.stringify(graph)).toBe(false)
})

test('a first draft is a chain from its trigger', () => {
  const names = {
    starts: {
      'manual-trigger': 'By hand',
      'http-request': 'Call',
      'form-trigger': 'Form',
      recurrence: 'Times',
    },
    formTitle: 'Ask',
    question: 'What?',
    task: 'Report.',
    agent: 'Answer',
    review: 'Check',
    keep: 'Keep',
  }
  const choice = { start: 'http-request', agentId: 'a1', isReviewed: true, timeZone: 'UTC' } as const
  const draft = startingDraft(choice, names)
  expect(draft.nodes.map(({ type }) => type)).toEqual(['http-request', 'ai-agent', 'human-review'])
  expect(draft.edges.map(({ source, target }) => `${source} ${target}`)).toEqual([
    'start agent',
    'agent review',
  ])
  // A webhook binds its payload below `body`, the API does not: the first step is independent of the caller.
  expect(draft.nodes[1]?.config.message).toBe('{{ trigger }}')
  expect(startingDraft({ ...choice, agentId: null }, names).edges).toEqual([])
  expect(startingDraft({ ...choice, start: 'form-trigger', agentId: null }, names).nodes).toHaveLength(2)
})
