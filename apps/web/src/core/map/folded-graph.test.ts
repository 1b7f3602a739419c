import { expect, test } from 'vitest'
import { foldedGraph } from './folded-graph.ts'
import { layOut } from './lay-out.ts'
import type { MapGraph, PlacedNode } from './map-graph.ts'

const node = (id: string, parentId: string | null = null): PlacedNode => ({
  ...{ id, parentId, kind: id.startsWith('loop') ? 'loop' : 'step' },
})
const GRAPH: MapGraph = {
  nodes: [
    node('a'),
    node('loop1'),
    node('b', 'loop1'),
    node('loop2', 'loop1'),
    node('c', 'loop2'),
    node('d'),
  ],
  edges: [
    { source: 'a', handle: 'out', target: 'loop1' },
    { source: 'loop1', handle: 'body', target: 'b' },
    { source: 'b', handle: 'out', target: 'loop2' },
    { source: 'loop2', handle: 'body', target: 'c' },
    { source: 'loop1', handle: 'done', target: 'd' },
  ],
}
const shown = (...folded: string[]) => {
  const { graph, hidden } = foldedGraph(GRAPH, new Set(folded))
  return {
    boxes: layOut(graph).boxes.map(({ id, kind }) => `${id} ${kind}`),
    hidden: Object.fromEntries(hidden),
  }
}

test('a folded Loop is a step, and its contents are hidden', () => {
  expect(shown('loop1')).toEqual({
    boxes: ['a step', 'loop1 step', 'd step'],
    hidden: { b: ['loop1'], loop2: ['loop1'], c: ['loop1'] },
  })
  expect(shown('loop2').boxes).toEqual(['a step', 'loop1 loop', 'b step', 'loop2 step', 'd step'])
  expect(shown('loop2', 'loop1').hidden).toMatchObject({ c: ['loop2', 'loop1'] })
  const { routes } = layOut(foldedGraph(GRAPH, new Set(['loop1'])).graph)
  expect(routes.map(({ source, target }) => `${source} ${target}`)).toEqual(['a loop1', 'loop1 d'])
})

test('with nothing collapsed, or only removed Loops and other steps, the graph is the same object', () => {
  expect(foldedGraph(GRAPH, new Set()).graph).toBe(GRAPH)
  expect(foldedGraph(GRAPH, new Set(['gone', 'a'])).graph).toBe(GRAPH)
  const inItself = { nodes: [node('loop1', 'loop2'), node('loop2', 'loop1')], edges: [] }
  expect(foldedGraph(inItself, new Set(['loop1'])).hidden.get('loop2')).toEqual(['loop1'])
})
