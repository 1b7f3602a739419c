import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { resultOf } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const setting = {
  trigger: { list: [1, 2], o: { a: 1 }, n: 3, s: 'three', below: -1, half: 1.5 },
  variables: { total: 2 },
}
const failed = (message: string) => ({ status: 'failed', message })
const repeat = (range: object) => ({ status: 'repeat', range })
const below3 = { conditions: [{ left: '{{ loop.index }}', op: 'lt', right: 3 }] }

test.for<[Record<string, unknown>, unknown]>([
  [{ mode: 'list', source: '{{ trigger.list }}' }, repeat({ mode: 'list', items: [1, 2] })],
  [{ mode: 'list', source: [1, '{{ trigger.n }}'] }, repeat({ mode: 'list', items: [1, 3] })],
  [{ mode: 'list', source: [] }, repeat({ mode: 'list', items: [] })],
  [{ mode: 'list', source: '{{ trigger.o }}' }, failed('Loop source must be a list, got object')],
  [{ mode: 'list', source: '{{ trigger.s }}' }, failed('Loop source must be a list, got string')],
  [{ mode: 'list', source: 'list: {{ trigger.list }}' }, failed('Loop source must be a list, got string')],
  [{ mode: 'count', count: 3 }, repeat({ mode: 'count', count: 3 })],
  [{ mode: 'count', count: 0 }, repeat({ mode: 'count', count: 0 })],
  [{ mode: 'count', count: '{{ trigger.n }}' }, repeat({ mode: 'count', count: 3 })],
  [
    { mode: 'count', count: '{{ trigger.below }}' },
    failed('Loop count must be an integer of at least 0, got -1'),
  ],
  [
    { mode: 'count', count: '{{ trigger.half }}' },
    failed('Loop count must be an integer of at least 0, got 1.5'),
  ],
  [
    { mode: 'count', count: '{{ trigger.s }}' },
    failed('Loop count must be an integer of at least 0, got string'),
  ],
  [{ mode: 'while', condition: below3 }, repeat({ mode: 'while' })],
])('%j returns %j', async ([config, result]) => {
  expect(await resultOf('loop', config, setting)).toEqual(result)
})

test.for<[number, boolean]>([
  [0, true],
  [2, true],
  [3, false],
])('a condition is asked before each iteration: %i, %s', async ([index, holds]) => {
  const asked = { ...setting, iteration: index, loop: { item: index, index } }
  expect(await resultOf('loop', { mode: 'while', condition: below3 }, asked)).toEqual({
    status: 'condition',
    holds,
  })
})

test('a condition that cannot be resolved fails the Loop', async () => {
  const condition = { conditions: [{ left: '{{ variables.nope }}', op: 'is_true' }] }
  expect(await resultOf('loop', { mode: 'while', condition }, { ...setting, iteration: 0 })).toEqual(
    failed('condition 1: could not resolve {{ variables.nope }}: variable "nope" was never set'),
  )
})

test.for<[Record<string, unknown>, string[]]>([
  [{ mode: 'list', source: '{{ trigger.list }}' }, []],
  [{ mode: 'list', source: 'x', condition: null, count: 'unused' }, []],
  [{}, ['mode is required']],
  [{ mode: 'until' }, ['mode must be one of: list, count, while']],
  [{ mode: 'list' }, ['source is required when the mode is list']],
  [{ mode: 'count', count: '' }, ['count is required when the mode is count']],
  [{ mode: 'count', count: ' {{ trigger.n }} ' }, []],
  ...['3', '3{{ trigger.n }}', -1, 1.5, true].map((count): [Record<string, unknown>, string[]] => [
    { mode: 'count', count },
    ['count must be a whole number of at least 0, or a single token that resolves to one'],
  ]),
  [{ mode: 'while', condition: null }, ['condition is required when the mode is while']],
  [{ mode: 'while', condition: {} }, ['condition.conditions is required']],
  [
    { mode: 'while', condition: { conditions: [{ left: 1, op: 'x' }] } },
    [expect.stringMatching(/^condition\.conditions\.0\.op must be one of/) as never],
  ],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('loop', config)).toEqual(expected)
})

test('only what its mode reads is a template; a condition is about its own iterations', () => {
  const loop = NODE_TYPES.get('loop')
  const config = { source: 'a', count: 'b', condition: { conditions: [{ left: 'c', op: 'is_true' }] } }
  expect(loop?.templates?.({ ...config, mode: 'list' })).toEqual([{ path: 'source', value: 'a' }])
  expect(loop?.templates?.({ ...config, mode: 'count' })).toEqual([{ path: 'count', value: 'b' }])
  expect(loop?.templates?.({ ...config, mode: 'while' })).toEqual([
    { path: 'condition.conditions.0.left', value: 'c', ownIterations: true },
  ])
  expect(loop?.templates?.({ mode: 'list' })).toEqual([])
  expect(loop?.repeatsWhile?.({ mode: 'while' })).toBe(true)
  expect(loop?.repeatsWhile?.({ mode: 'list' })).toBe(false)
  expect(loop?.handles({})).toEqual(['body', 'done'])
})
