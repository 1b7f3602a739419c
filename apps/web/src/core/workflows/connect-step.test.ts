import type { Graph, GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { connectStep, placesFor } from './connect-step.ts'

const node = (id: string, parentId: string | null = null): GraphNode => ({
  ...{ id, type: id === 'loop' ? 'loop' : 'edit-fields', name: id, parentId },
  ...{ position: { x: 0, y: 0 }, config: {} },
})
const edge = (source: string, target: string, sourceHandle = 'out') => ({
  ...{ id: `${source}:${sourceHandle}:${target}`, source, sourceHandle, target },
})
const handlesOf = ({ type }: GraphNode) => (type === 'loop' ? ['body', 'done'] : ['out'])
const [a, b, alone, loop] = [node('a'), node('b'), node('alone'), node('loop')]

/** The places of a step as `step handle`. */
const places = (graph: Graph, of: GraphNode, reached: readonly GraphNode[]) =>
  placesFor(graph, of, reached, handlesOf).flatMap(({ after, handles }) =>
    handles.map((handle) => `${after.id} ${handle}`),
  )

test('a step without connections may be put anywhere, also into a Loop', () => {
  const graph = { nodes: [a, loop, alone], edges: [edge('a', 'loop')] }
  expect(places(graph, alone, [a, loop])).toEqual(['a out', 'loop body', 'loop done'])
})

test('a step with connections stays on its level, and stands behind nothing that follows it', () => {
  const graph = { nodes: [a, loop, b, alone], edges: [edge('a', 'loop'), edge('a', 'b'), edge('alone', 'b')] }
  expect(places(graph, alone, [a, loop, b])).toEqual(['a out', 'loop done'])
})

test('what followed the place follows the step', () => {
  const graph = { nodes: [a, b, alone], edges: [edge('a', 'b')] }
  expect(connectStep(graph, alone, a, 'out', handlesOf)).toEqual([
    { remove: { edgeId: 'a:out:b' } },
    { put: { edge: edge('a', 'alone') } },
    { put: { edge: edge('alone', 'b') } },
  ])
})

test('a step that leads on already leaves what followed the place where it is', () => {
  const graph = { nodes: [a, b, node('c'), alone], edges: [edge('a', 'b'), edge('alone', 'c')] }
  expect(connectStep(graph, alone, a, 'out', handlesOf)).toEqual([{ put: { edge: edge('a', 'alone') } }])
})

test('a step that is put into a Loop belongs to it', () => {
  const graph = { nodes: [loop, alone], edges: [] }
  expect(connectStep(graph, alone, loop, 'body', handlesOf)).toEqual([
    { put: { node: { ...alone, parentId: 'loop' } } },
    { put: { edge: edge('loop', 'alone', 'body') } },
  ])
})
