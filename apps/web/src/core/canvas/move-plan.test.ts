import { moveSteps } from '@troupe/editor/commands/edit-steps'
import { DraftDocument } from '@troupe/editor/document/draft-document'
import { transact } from '@troupe/editor/document/transaction'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layOut } from '../map/lay-out.ts'
import { mapOfGraph } from '../map/map-of-graph.ts'
import { withBoxesAt } from '../map/with-boxes-at.ts'
import { alignedBoxes } from './align-boxes.ts'
import { movePlan } from './move-plan.ts'

const node = (id: string, type: string, parentId: string | null = null): GraphNode => ({
  ...{ id, type, name: id, parentId, position: { x: 0, y: 0 }, config: {} },
})
const edge = (source: string, target: string, sourceHandle = 'out') => ({
  ...{ id: `${source}:${sourceHandle}:${target}`, source, sourceHandle, target },
})
const GRAPH: Graph = {
  nodes: [
    node('start', 'manual-trigger'),
    node('each', 'loop'),
    node('inner', 'loop', 'each'),
    node('deep', 'edit-fields', 'inner'),
    node('last', 'edit-fields', 'each'),
    node('end', 'edit-fields'),
    node('note', 'note'),
  ],
  edges: [
    edge('start', 'each'),
    edge('each', 'inner', 'body'),
    edge('inner', 'deep', 'body'),
    edge('inner', 'last', 'done'),
    edge('each', 'end', 'done'),
  ],
}

const drawn = (graph: Graph) =>
  layOut(
    mapOfGraph(graph, ({ type, config }) => {
      const definition = NODE_TYPES.get(type)
      return { role: definition?.role ?? 'pure', handles: definition?.handles(config) ?? ['out'] }
    }),
  )
const placesOf = (graph: Graph) =>
  new Map(drawn(graph).boxes.map(({ id, x, y, width, height }) => [id, { x, y, width, height }]))

/** The origin of a step's level on the canvas. */
function frameOf(graph: Graph, id: string): { x: number; y: number } {
  const parentId = graph.nodes.find((one) => one.id === id)?.parentId
  return drawn(graph).boxes.find((box) => box.id === parentId)?.anchor ?? { x: 0, y: 0 }
}

/** The graph after steps were put at places of the canvas. */
function moved(graph: Graph, places: ReadonlyMap<string, { x: number; y: number }>): Graph {
  const document = new DraftDocument(graph)
  const plan = movePlan(document, drawn(graph), places)
  transact(document, (tx) => moveSteps(tx, plan))
  return document.graph()
}

describe('steps that are moved by hand', () => {
  test('stay where they were put, and all others where they were drawn', () => {
    const before = placesOf(GRAPH)
    const end = before.get('end') ?? expect.fail()
    const after = placesOf(moved(GRAPH, new Map([['end', { x: end.x + 200, y: end.y - 48 }]])))
    expect(after.get('end')).toMatchObject({ x: end.x + 200, y: end.y - 48 })
    for (const id of ['start', 'each', 'inner', 'deep', 'last', 'note']) {
      expect(after.get(id), id).toEqual(before.get(id))
    }
  })

  test('any moves, one after the other, in any level', () => {
    const ids = GRAPH.nodes.map(({ id }) => id)
    const move = fc.record({
      id: fc.constantFrom(...ids),
      dx: fc.integer({ min: -40, max: 40 }),
      dy: fc.nat(40),
    })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 6 }), (moves) => {
        let graph = GRAPH
        for (const { id, dx, dy } of moves) {
          const box = placesOf(graph).get(id) ?? expect.fail(id)
          const place = { x: box.x + dx * 8, y: box.y + dy * 8 }
          const before = frameOf(graph, id)
          graph = moved(graph, new Map([[id, place]]))
          const now = placesOf(graph).get(id) ?? expect.fail(id)
          // In its Loop: in automatic layout, a body that grows to the left moves the Loop to the right. A step that would exactly
          // cover another one is put beside it.
          const after = frameOf(graph, id)
          expect(Math.abs(now.x - after.x - (place.x - before.x)) % 8).toBe(0)
          expect(now.y - after.y).toBe(place.y - before.y)
        }
      }),
      {
        numRuns: 60,
        examples: [
          [
            [
              { id: 'deep', dx: 7, dy: 0 },
              { id: 'last', dx: -7, dy: 0 },
            ],
          ],
          // Onto a step that comes later in the draft.
          [
            [
              { id: 'inner', dx: -20, dy: 26 },
              { id: 'inner', dx: 23, dy: 1 },
            ],
          ],
        ],
      },
    )
  })

  test('a drag shows the same as the later layout, including connections and bodies', () => {
    const first = moved(GRAPH, new Map([['start', { x: 0, y: -200 }]]))
    const layout = drawn(first)
    const each = layout.boxes.find(({ id }) => id === 'each') ?? expect.fail()
    const places = new Map([['each', { x: each.x + 80, y: each.y + 160 }]])
    const shown = withBoxesAt(layout, places)
    const after = drawn(moved(first, places))
    expect(shown.boxes).toEqual(after.boxes)
    expect(shown.routes).toEqual(after.routes)
  })

  test('boxes are aligned and spread', () => {
    const box = (id: string, x: number, y: number, width = 208) => {
      return { id, kind: 'step' as const, depth: 0, x, y, width, height: 56 }
    }
    const boxes = [box('a', 0, 0), box('b', 300, 90, 400), box('c', 900, 10)]
    expect(Object.fromEntries(alignedBoxes(boxes, 'left'))).toEqual({
      a: { x: 0, y: 0 },
      b: { x: 0, y: 90 },
      c: { x: 0, y: 10 },
    })
    expect([...alignedBoxes(boxes, 'middle').values()].map(({ y }) => y)).toEqual([45, 45, 45])
    expect([...alignedBoxes(boxes, 'across').values()].map(({ x }) => x)).toEqual([0, 354, 900])
  })
})
