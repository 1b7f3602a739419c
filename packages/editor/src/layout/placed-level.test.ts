import { expect, test } from 'vitest'
import { addStep, insertOnEdge, moveSteps, tidy } from '../commands/edit-steps.ts'
import { moveToFrame } from '../commands/frame-steps.ts'
import { after, edge, node, waysOf } from '../testing/draft.ts'
import { isPlaced } from './placed-level.ts'

const at = (x: number, y: number) => ({ position: { x, y } })
const never = () => false
const fields = { type: 'edit-fields', name: 'New' }
const heap = { nodes: [node('a'), node('b'), node('c')], edges: [edge('a', 'b'), edge('b', 'c')] }
const placed = {
  ...heap,
  nodes: [node('a', null, at(0, 0)), node('b', null, at(0, 112)), node('c', null, at(0, 224))],
}

test.each([
  [[], false],
  [[{ x: 0, y: 0 }], false],
  [[{ x: 40, y: 0 }], true],
  [
    [
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ],
    false,
  ],
  [
    [
      { x: 0, y: 0 },
      { x: 240, y: 0 },
    ],
    true,
  ],
  [
    [
      { x: 0, y: 0 },
      { x: 0, y: 0 },
      { x: 0, y: 0 },
      { x: 9, y: 0 },
    ],
    false,
  ],
])('positions %j were set by people: %s', (positions, expected) => {
  expect(isPlaced(positions)).toBe(expected)
})

test('a new step stays at the only position of an automatic level', () => {
  const { document } = after(heap, (tx) => addStep(tx, { source: 'a', handle: 'out' }, fields, never))
  expect(document.node('new')?.position).toEqual({ x: 0, y: 0 })
  expect(isPlaced(document.nodes().map(({ position }) => position))).toBe(false)
})

test('in a manual level it is placed below its predecessor, and later steps make room', () => {
  const { document } = after(placed, (tx) => addStep(tx, { source: 'a', handle: 'out' }, fields, never))
  expect(document.nodes().map(({ id, position: { x, y } }) => [id, x, y])).toEqual([
    ['a', 0, 0],
    ['b', 0, 224],
    ['c', 0, 336],
    ['new', 0, 112],
  ])
  const inserted = after(placed, (tx) => insertOnEdge(tx, 'b:out:c', fields, never))
  expect(inserted.document.node('new')?.position).toEqual({ x: 0, y: 224 })
  const branch = after(placed, (tx) => {
    addStep(tx, { source: 'c', handle: 'out' }, fields, never)
    addStep(tx, { source: 'c', handle: 'out' }, { type: 'ai-prompt', name: 'Ask' }, never)
    moveSteps(tx, new Map([['ask', { x: 400, y: 400 }]]))
  })
  expect(branch.document.node('new')?.position).toEqual({ x: 0, y: 448 })
})

test('a tidied draft is laid out automatically again, including its Loops', () => {
  const graph = {
    nodes: [
      ...placed.nodes,
      node('loop', null, at(300, 0)),
      node('x', 'loop', at(5, 90)),
      node('y', 'loop', at(9, 200)),
    ],
    edges: placed.edges,
  }
  const { document } = after(graph, (tx) => tidy(tx, [null]))
  expect(new Set(document.nodes().map(({ position: { x, y } }) => `${x} ${y}`))).toEqual(new Set(['0 0']))
})

test('steps move into a Loop and out of it; the gap is closed', () => {
  const graph = {
    nodes: [...heap.nodes, node('loop')],
    edges: [...heap.edges, edge('c', 'loop')],
  }
  const { document } = after(graph, (tx) => moveToFrame(tx, ['b'], 'loop'))
  expect(waysOf(document)).toEqual(['a out c', 'c out loop', 'loop body b'])
  expect(document.node('b')?.parentId).toBe('loop')
  const back = after(document.graph(), (tx) => moveToFrame(tx, ['b'], null))
  expect(waysOf(back.document)).toEqual(['a out c', 'c out loop'])
  expect(back.document.node('b')?.parentId).toBe(null)
  expect(after(graph, (tx) => moveToFrame(tx, ['loop'], 'loop')).reason).toBe('other_level')
  expect(after(graph, (tx) => moveToFrame(tx, ['b'], 'c')).reason).toBe('not_a_loop')
  const start = node('start', null, { type: 'manual-trigger' })
  const withTrigger = { ...graph, nodes: [...graph.nodes, start] }
  expect(after(withTrigger, (tx) => moveToFrame(tx, ['start'], 'loop')).reason).toBe('is_trigger')
})
