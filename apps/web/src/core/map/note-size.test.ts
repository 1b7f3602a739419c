import type { Graph } from '@troupe/graph'
import { expect, test } from 'vitest'
import { layOut } from './lay-out.ts'
import { mapOfGraph } from './map-of-graph.ts'
import { noteSize } from './note-size.ts'

test('a note has the size that it was given, within limits, and that of a step without one', () => {
  expect(noteSize({ width: 320, height: 200.4 })).toEqual({ width: 320, height: 200 })
  expect(noteSize({ width: 1, height: 99_999 })).toEqual({ width: 120, height: 1_600 })
  for (const config of [
    {},
    { width: 300 },
    { width: '300', height: 200 },
    { width: Number.NaN, height: 9 },
  ]) {
    expect(noteSize(config)).toBeNull()
  }
})

test('notes are drawn in their size, laid out or put by hand', () => {
  const note = (x: number) => ({
    ...{ id: 'n', type: 'note', name: 'N', parentId: null, position: { x, y: 0 } },
    config: { width: 320, height: 200 },
  })
  const boxOf = (graph: Graph) =>
    layOut(mapOfGraph(graph, () => ({ role: 'note', handles: [] }))).boxes.map(({ width, height }) => [
      width,
      height,
    ])
  expect(boxOf({ nodes: [note(0)], edges: [] })).toEqual([[320, 200]])
  expect(boxOf({ nodes: [note(80)], edges: [] })).toEqual([[320, 200]])
})
