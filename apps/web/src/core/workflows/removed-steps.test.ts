import { readGraph } from '@troupe/editor/document/read-graph'
import { expect, test } from 'vitest'
import { editedSteps, removedSteps } from './removed-steps.ts'

const node = (id: string) => ({ id, type: 'edit-fields', name: `Step ${id}`, config: {} })
const graph = readGraph({ nodes: [node('there')] })
const edit = (nodeId: string, from: unknown = node(nodeId)) => ({ nodeId, from: JSON.stringify(from) })

test('an edit of a step that was removed is found by its step as it was', () => {
  expect(removedSteps(graph, [edit('there'), edit('gone')])).toMatchObject([
    { id: 'gone', name: 'Step gone' },
  ])
})

test('invalid and replaced steps are omitted', () => {
  expect(removedSteps(graph, [{ nodeId: 'a', from: '{' }, edit('b', null), edit('c', node('d'))])).toEqual([])
})

test('a step with a kept edit is named, unless the draft has become equal', () => {
  const kept = (nodeId: string, name: string, config = '{}') => ({ nodeId, name, config })
  const ids = (...edits: ReturnType<typeof kept>[]) => editedSteps(graph, edits).map(({ id }) => id)
  expect(ids(kept('there', 'Renamed'))).toEqual(['there'])
  expect(ids(kept('there', 'Step there', '{ "half'))).toEqual(['there'])
  expect(ids(kept('there', 'Step there'), kept('gone', 'Gone'))).toEqual([])
})
