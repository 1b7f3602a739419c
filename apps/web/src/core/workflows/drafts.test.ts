import { isWholeGraph, NO_GRAPH, readGraph } from '@troupe/editor/document/read-graph'
import { expect, test } from 'vitest'
import { mergeDrafts } from './merge-drafts.ts'
import { startingDraft } from './starting-drafts.ts'

const node = (id: string, name = id) => ({
  id,
  type: 'edit-fields',
  name,
  parentId: null,
  position: { x: 0, y: 0 },
  config: {},
})
const graph = (...nodes: ReturnType<typeof node>[]) => ({ nodes, edges: [] })

test('changes of different nodes are joined, and removals hold', () => {
  const base = graph(node('a'), node('b'), node('c'))
  const mine = graph(node('a', 'Mine'), node('b'), node('c'), node('new'))
  const theirs = graph(node('a'), node('b', 'Theirs'))
  expect(mergeDrafts(base, mine, theirs)).toEqual(graph(node('a', 'Mine'), node('b', 'Theirs'), node('new')))
})

test('the same change on both sides is no conflict, different ones are', () => {
  const base = graph(node('a'))
  expect(mergeDrafts(base, graph(node('a', 'X')), graph(node('a', 'X')))).toEqual(graph(node('a', 'X')))
  expect(mergeDrafts(base, graph(node('a', 'X')), graph(node('a', 'Y')))).toBeNull()
  expect(mergeDrafts(base, graph(), graph(node('a', 'Y')))).toBeNull()
})

test('drafts with two parts of one id are not joined: one of them would be lost', () => {
  const base = graph(node('a'))
  const pasted = graph(node('a'), node('a', 'Pasted'))
  expect(mergeDrafts(base, pasted, base)).toBeNull()
  expect(mergeDrafts(base, base, pasted)).toBeNull()
})

test('what is no graph is read as an empty one', () => {
  expect(readGraph(null)).toEqual(NO_GRAPH)
  expect(readGraph({ nodes: [null, 'x', { id: 'a' }], edges: [{ id: 'e' }] })).toEqual(NO_GRAPH)
})

test('a graph of which something would be left out is not a whole one', () => {
  const good = { id: 'a', type: 'edit-fields' }
  expect(isWholeGraph({ nodes: [good], edges: [{ id: 'e', source: 'a', target: 'a' }] })).toBe(true)
  expect(isWholeGraph({})).toBe(true)
  for (const graph of [
    { nodes: [good, { id: 'b' }] },
    { nodes: [good], edges: [{ source: 'a' }] },
    { nodes: 'x' },
    null,
  ])
    expect(isWholeGraph(graph)).toBe(false)
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
  // A webhook binds what it got below `body`, the API does not: the first step does not depend on who calls.
  expect(draft.nodes[1]?.config.message).toBe('{{ trigger }}')
  expect(startingDraft({ ...choice, agentId: null }, names).edges).toEqual([])
  expect(startingDraft({ ...choice, start: 'form-trigger', agentId: null }, names).nodes).toHaveLength(2)
})
