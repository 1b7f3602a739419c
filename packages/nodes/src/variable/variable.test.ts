import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { outputOf, resultOf } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const setting = { trigger: { n: 2, s: 'x' }, variables: { list: [1], total: 3, name: 'Ann', none: null } }
const row = (name: string, op?: string, value?: unknown) => ({
  name,
  ...(op && { op }),
  ...(value !== undefined && { value }),
})

test.for<[object[], unknown]>([
  [[row('a', undefined, 1)], { a: 1 }],
  [[row('a', 'set', '{{ trigger.n }}')], { a: 2 }],
  [[row('a', 'set', null)], { a: null }],
  [[{ ...row('a', 'set', '{{ trigger.n }}'), mode: 'fixed' }], { a: '{{ trigger.n }}' }],
  [[row('list', 'append', '{{ trigger.n }}')], { list: [1, 2] }],
  [[row('list', 'append', [2])], { list: [1, [2]] }],
  [[row('fresh', 'append', 'x')], { fresh: ['x'] }],
  [[row('total', 'increment')], { total: 4 }],
  [[row('total', 'increment', '{{ trigger.n }}')], { total: 5 }],
  [[row('total', 'increment', -0.5)], { total: 2.5 }],
  [[row('fresh', 'increment')], { fresh: 1 }],
  [[row('a', 'set', 1), row('b', 'set', '{{ variables.a }}')], { a: 1, b: 1 }],
  [[row('a', 'append', 1), row('a', 'append', 2)], { a: [1, 2] }],
])('the rows %j write %j', async ([rows, written]) => {
  expect(await resultOf('variable', { rows }, setting)).toEqual({
    status: 'completed',
    output: written,
    variables: written,
  })
})

test.for<[object, string]>([
  [row('name', 'append', 1), 'row "name": append needs a variable that is a list, but it is string'],
  [row('none', 'append', 1), 'row "none": append needs a variable that is a list, but it is null'],
  [row('name', 'increment'), 'row "name": increment needs a variable that is a number, but it is string'],
  [row('total', 'increment', '{{ trigger.s }}'), 'row "total": increment needs a number, got string'],
  [
    row('a', 'set', '{{ variables.nope }}'),
    'row "a": could not resolve {{ variables.nope }}: variable "nope" was never set',
  ],
])('the row %j fails the node', async ([failing, message]) => {
  expect(await outputOf('variable', { rows: [failing] }, setting)).toBe(`failed: ${message}`)
})

test('a sum that is not a number any more fails the node', async () => {
  const rows = [row('big', 'increment', Number.MAX_VALUE)]
  const variables = { big: Number.MAX_VALUE }
  expect(await outputOf('variable', { rows }, { variables })).toBe(
    'failed: row "big": the number is too large',
  )
})

test('the variables of the run are reported, not changed', async () => {
  const variables = { list: [1] }
  await outputOf('variable', { rows: [row('list', 'append', 2)] }, { variables })
  expect(variables).toEqual({ list: [1] })
})

test.for<[Record<string, unknown>, string[]]>([
  [{ rows: [row('a', 'set', 1)] }, []],
  [{ rows: [row('a', 'increment')] }, []],
  [{ rows: [row('a', 'increment', 2.5), row('b', 'increment', '{{ trigger.n }}')] }, []],
  [
    {
      rows: [
        row('a', 'increment', '1'),
        { ...row('b', 'increment', '{{ trigger.n }}'), mode: 'fixed' },
        row('c', 'increment', '1{{ trigger.n }}'),
      ],
    },
    [0, 1, 2].map((index) => `rows.${index}.value must be a number, or a single token that resolves to one`),
  ],
  [{}, ['rows is required']],
  [{ rows: [] }, ['rows must have at least 1 item']],
  [{ rows: Array.from({ length: 101 }, () => row('a', 'set', 1)) }, ['rows must have at most 100 items']],
  [{ rows: [row('a', 'set'), row('b', 'append')] }, ['rows.0.value is required', 'rows.1.value is required']],
  [
    { rows: [row('1a', 'drop', 1)] },
    [
      'rows.0.name must have 1 to 64 letters, digits, _ or -, beginning with a letter or _',
      'rows.0.op must be one of: set, append, increment',
    ],
  ],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('variable', config)).toEqual(expected)
})

test('it reports the variables that it writes and the values that are interpolated', () => {
  const rows = [row('a', 'set', '{{ trigger.x }}'), row('b', 'increment'), row('a', 'append', 1)]
  const type = NODE_TYPES.get('variable')
  expect(type?.writes?.({ rows })).toEqual(['a', 'b'])
  expect(type?.templates?.({ rows }).map(({ path }) => path)).toEqual(['rows.0.value', 'rows.2.value'])
})
