import { expect, test } from 'vitest'
import { findSteps } from './find-steps.ts'
import { layOut } from './lay-out.ts'
import type { PlacedNode } from './map-graph.ts'
import { stepBeside } from './step-beside.ts'

const node = (id: string, parentId: string | null = null, kind: PlacedNode['kind'] = 'step'): PlacedNode => ({
  id,
  parentId,
  kind,
})
const edge = (source: string, target: string, handle = 'out') => ({ source, handle, target })
const layout = layOut({
  nodes: [node('t'), node('i'), node('y'), node('n'), node('l', null, 'loop'), node('b', 'l'), node('z')],
  edges: [
    edge('t', 'i'),
    edge('i', 'y', 'true'),
    edge('i', 'n', 'false'),
    edge('y', 'l'),
    edge('n', 'l'),
    edge('l', 'b', 'body'),
    edge('l', 'z', 'done'),
  ],
})

test.for([
  ['t', 'down', 'i'],
  ['i', 'down', 'y'],
  ['y', 'right', 'n'],
  ['n', 'left', 'y'],
  ['n', 'up', 'i'],
  ['l', 'down', 'b'],
  ['b', 'up', 'l'],
  ['b', 'down', 'z'],
  ['t', 'up', null],
  ['gone', 'down', null],
] as const)('from %s the arrow %s moves to %s', ([from, direction, to]) => {
  expect(stepBeside(layout, from, direction)).toBe(to)
})

test('steps are found by name, id and type, in the order of the map', () => {
  const nodes = new Map([
    ['ask', { id: 'ask', name: 'Ask the customer', type: 'human-review' }],
    ['say', { id: 'say', name: 'Say so', type: 'edit-fields' }],
  ])
  expect(findSteps(nodes, ['say', 'ask'], 'S')).toEqual(['say', 'ask'])
  expect(findSteps(nodes, ['say', 'ask'], ' REVIEW ')).toEqual(['ask'])
  expect(findSteps(nodes, ['say', 'ask', 'gone'], '  ')).toEqual([])
})
