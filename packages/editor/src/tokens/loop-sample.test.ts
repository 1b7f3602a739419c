import type { GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { inIteration } from './loop-sample.ts'
import type { RunSample } from './run-sample.ts'

const node = (
  id: string,
  type: string,
  config: Record<string, unknown> = {},
  parentId: string | null = null,
): GraphNode => ({ ...{ id, type, name: id, config, parentId }, position: { x: 0, y: 0 } })

const GROUPS = [{ name: 'a', rows: [1, 2] }, { name: 'b', rows: [3, 4] }, { name: 'c' }]
const sample: RunSample = {
  outputs: new Map([['fetch', { groups: GROUPS }]]),
  variables: new Map(),
}

const inner = node('inner', 'edit-fields', {}, 'each')
const deep = node('deep', 'edit-fields', {}, 'rows')
const check = node('check', 'loop', { mode: 'while' })
const after = node('after', 'edit-fields')
const graph = {
  nodes: [
    node('fetch', 'edit-fields'),
    node('each', 'loop', { mode: 'list', source: '{{ upstream.fetch.output.groups }}' }),
    node('rows', 'loop', { mode: 'list', source: '{{ loop.item.rows }}' }, 'each'),
    node('times', 'loop', { mode: 'count', count: 3 }),
    node('again', 'edit-fields', {}, 'times'),
    ...[inner, deep, check, after],
  ],
  edges: [],
}
const again = graph.nodes.find(({ id }) => id === 'again') ?? after

test.each([
  ['the first item before the step ran', inner, '', { item: GROUPS[0], index: 0 }],
  ['the item of the iteration', inner, 'each[1]', { item: GROUPS[1], index: 1 }],
  ['an item of the item around it', deep, 'each[1]/rows[1]', { item: 4, index: 1 }],
  ['the index of a Loop that counts', again, 'times[2]', { item: 2, index: 2 }],
  ['the first iteration of its own condition', check, '', { item: 0, index: 0 }],
  ['nothing outside of Loops', after, '', undefined],
  ['nothing for an iteration that the list lacks', inner, 'each[3]', undefined],
  ['nothing for an item without a list', deep, 'each[2]/rows[0]', undefined],
])('a step in a Loop reads %s', (_, step, path, loop) => {
  expect(inIteration(sample, graph, step, path).loop).toEqual(loop)
})

test('a list missing in the run yields no item, and cyclic parents do not hang', () => {
  expect(inIteration({ ...sample, outputs: new Map() }, graph, inner, '').loop).toBeUndefined()
  const [one, two] = [node('one', 'loop', {}, 'two'), node('two', 'loop', {}, 'one')]
  expect(inIteration(sample, { nodes: [one, two], edges: [] }, one, '').loop).toEqual({ item: 0, index: 0 })
})
