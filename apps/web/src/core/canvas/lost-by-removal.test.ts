import { DraftDocument } from '@troupe/editor/document/draft-document'
import { expect, test } from 'vitest'
import { lostByRemoval } from './lost-by-removal.ts'

const step = (id: string, value: string) => ({
  ...{ id, type: 'edit-fields', name: id.toUpperCase(), parentId: null, position: { x: 0, y: 0 } },
  config: { rows: [{ name: 'v', value }] },
})
const NONE = { pinned: [], cases: [] }

test('a removal names the steps whose tokens lose their source, the first three by name', () => {
  const readers = ['b', 'c', 'd', 'e', 'f'].map((id) => step(id, '{{ upstream.a.output.v }}'))
  const lost = (count: number, ...ids: string[]) =>
    lostByRemoval(
      new DraftDocument({ nodes: [step('a', '1'), ...readers.slice(0, count)], edges: [] }),
      ids,
      NONE,
    )
  expect(lost(0, 'a')).toBeNull()
  expect(lost(1, 'b')).toBeNull()
  expect(lost(1, 'a')).toBe('Its tokens have lost their source in B. Undo brings it back.')
  expect(lost(5, 'a')).toBe(
    'Its tokens have lost their source in B, C, D and 2 other steps. Undo brings it back.',
  )
  expect(lost(2, 'a', 'b')).toBe('Their tokens have lost their source in C. Undo brings it back.')
})

test('a removal names the test cases that start at the step or use its result, and reports the removal of its pin', () => {
  const trigger = { ...step('start', '1'), type: 'http-request', config: {} }
  const reader = new DraftDocument({ nodes: [trigger, step('a', '1'), step('b', '2')], edges: [] })
  const cases = [
    { name: 'Refund', triggerNodeId: 'start', mocks: [] },
    { name: 'Bill', triggerNodeId: null, mocks: [{ nodeId: 'a', path: '' }] },
  ]
  const lost = (...ids: string[]) => lostByRemoval(reader, ids, { pinned: ['start', 'a', 'b'], cases })
  expect(lost('a')).toBe(
    'This test case uses it: “Bill”. Its pinned output goes with it. Undo brings it back.',
  )
  // The pin of a trigger has its sample values.
  expect(lost('start')).toBe('This test case uses it: “Refund”. Undo brings it back.')
  expect(lost('a', 'b')).toBe(
    'This test case uses them: “Bill”. 2 pinned outputs go with them: A, B. Undo brings it back.',
  )
})

test('a Loop is removed with its body: references to steps of the body are also named', () => {
  const loop = { ...step('each', '1'), type: 'loop', config: {} }
  const inner = { ...step('inner', '2'), parentId: 'each' }
  const after = step('after', '{{ upstream.inner.output.v }}')
  const reader = new DraftDocument({ nodes: [loop, inner, after], edges: [] })
  const cases = [{ name: 'Bill', triggerNodeId: null, mocks: [{ nodeId: 'inner', path: 'each[0]' }] }]
  expect(lostByRemoval(reader, ['each'], { pinned: ['inner'], cases })).toBe(
    'Their tokens have lost their source in AFTER. This test case uses them: “Bill”. 1 pinned output goes with them: INNER. Undo brings it back.',
  )
})

test('a removal names the readers of a variable that no other step sets', () => {
  const variable = (id: string, name: string) => ({
    ...{ ...step(id, ''), type: 'variable' },
    config: { rows: [{ name, value: '1' }] },
  })
  const reader = new DraftDocument({
    nodes: [
      variable('one', 'total'),
      variable('two', 'total'),
      variable('three', 'rest'),
      step('b', '{{ variables.total }} {{ variables.rest }}'),
    ],
    edges: [],
  })
  expect(lostByRemoval(reader, ['one'], NONE)).toBeNull()
  expect(lostByRemoval(reader, ['one', 'two'], NONE)).toContain('in B.')
  expect(lostByRemoval(reader, ['three'], NONE)).toContain('in B.')
})
