import type { Graph, GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { addStep, removeStep, type StepChange, sentChanges, takeBack } from './edit-steps.ts'

const node = (id: string, parentId: string | null = null): GraphNode => ({
  id,
  type: 'edit-fields',
  name: id,
  parentId,
  position: { x: 0, y: 0 },
  config: {},
})
const edge = (source: string, target: string, sourceHandle = 'out') => ({
  id: `${source}-${target}`,
  source,
  sourceHandle,
  target,
})
const chain: Graph = {
  nodes: [node('a'), node('b'), node('c')],
  edges: [edge('a', 'b'), edge('b', 'c')],
}

/** As the server applies changes. */
function applied(graph: Graph, changes: readonly StepChange[]): Graph {
  const nodes = new Map(graph.nodes.map((one) => [one.id, one]))
  const edges = new Map(graph.edges.map((one) => [one.id, one]))
  for (const change of changes) {
    if ('remove' in change) {
      if ('nodeId' in change.remove) nodes.delete(change.remove.nodeId)
      else edges.delete(change.remove.edgeId)
    } else if ('node' in change.put) nodes.set(change.put.node.id, change.put.node)
    else edges.set(change.put.edge.id, change.put.edge)
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] }
}
const ways = ({ edges }: Graph) => edges.map(({ source, target }) => `${source} ${target}`).sort()

test('a new step stands between a step and what followed it', () => {
  const { nodeId, changes } = addStep(chain, node('a'), 'out', {
    type: 'edit-fields',
    name: 'a',
    handles: ['out'],
  })
  const after = applied(chain, changes)
  expect(ways(after)).toEqual([`${nodeId} b`, `a ${nodeId}`, 'b c'].sort())
  expect(after.nodes.at(-1)).toMatchObject({ name: 'a 2', parentId: null })
})

test('a step at the body of a loop belongs to it, one that leads nowhere moves nothing', () => {
  const loop = { ...node('l'), type: 'loop' }
  const inLoop = addStep({ nodes: [loop], edges: [] }, loop, 'body', {
    type: 'x',
    name: 'X',
    handles: ['out'],
  })
  expect(inLoop.changes[0]).toMatchObject({ put: { node: { parentId: 'l' } } })
  const between = addStep(chain, node('a'), 'out', { type: 'loop', name: 'Loop', handles: ['body', 'done'] })
  const looping = applied(chain, between.changes)
  expect(looping.edges.find(({ target }) => target === 'b')).toMatchObject({ sourceHandle: 'done' })
  const end = addStep(chain, node('a'), 'out', { type: 'x', name: 'X', handles: [] })
  expect(ways(applied(chain, end.changes))).toEqual(['a b', 'a x', 'b c'])
})

test('a step that is taken out leaves its way, and the body of a loop goes with it', () => {
  expect(ways(applied(chain, removeStep(chain, node('b'))))).toEqual(['a c'])
  const looped: Graph = {
    nodes: [node('a'), node('l'), node('x', 'l'), node('c')],
    edges: [edge('a', 'l'), edge('l', 'x', 'body'), edge('l', 'c', 'done')],
  }
  const after = applied(looped, removeStep(looped, node('l')))
  expect(after.nodes.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(ways(after)).toEqual(['a c'])
})

test('changes that are taken back leave the draft as it was', () => {
  for (const changes of [
    removeStep(chain, node('b')),
    addStep(chain, node('a'), 'out', { type: 'x', name: 'X', handles: ['out'] }).changes,
  ]) {
    const back = applied(applied(chain, changes), takeBack(chain, changes))
    expect(back.nodes.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(chain.nodes)
    expect(ways(back)).toEqual(ways(chain))
  }
})

test('what was removed comes back at its place', () => {
  const back = takeBack(chain, removeStep(chain, node('b')))
  const puts = sentChanges(back).flatMap(({ put }) => (put ? [put] : []))
  expect(puts).toEqual([
    { node: node('b'), before: 'c' },
    { edge: edge('b', 'c') },
    { edge: edge('a', 'b'), before: 'b-c' },
  ])
})

test('a step whose ways all lead to one step leaves the way there, one with several ends leaves none', () => {
  const choice: Graph = {
    nodes: [node('a'), node('if'), node('c'), node('d')],
    edges: [edge('a', 'if'), edge('if', 'c', 'true'), { ...edge('if', 'c', 'false'), id: 'other' }],
  }
  expect(ways(applied(choice, removeStep(choice, node('if'))))).toEqual(['a c'])
  const split = { ...choice, edges: [...choice.edges, edge('if', 'd', 'false')] }
  expect(ways(applied(split, removeStep(split, node('if'))))).toEqual([])
})
