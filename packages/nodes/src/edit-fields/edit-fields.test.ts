import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { outputOf } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const setting = {
  trigger: { n: 5, s: 'hi', o: { a: 1 }, z: null, d: '{{ trigger.n }}' },
  upstream: { fetch: { title: 'T', body: 'B', url: 'U' } },
}
const row = (value: unknown, mode?: 'expression' | 'fixed') => ({ name: 'x', value, ...(mode && { mode }) })

test.for<[unknown, unknown]>([
  ['{{ trigger.n }}', 5],
  ['n={{ trigger.n }}', 'n=5'],
  ['{{ trigger.o }}', { a: 1 }],
  ['{{ trigger.z }}', null],
  ['{{ trigger.d }}', '{{ trigger.n }}'],
  [{ deep: ['{{ trigger.s }}', 1] }, { deep: ['hi', 1] }],
  [7, 7],
  [null, null],
])('the expression %j becomes %j', async ([value, output]) => {
  expect(await outputOf('edit-fields', { rows: [row(value)] }, setting)).toEqual({ x: output })
})

test('a fixed row keeps its braces', async () => {
  const rows = [row('{{ trigger.n }}', 'fixed')]
  expect(await outputOf('edit-fields', { rows }, setting)).toEqual({ x: '{{ trigger.n }}' })
})

test('the output has exactly the rows, with any names', async () => {
  const names = ['a.b', '__proto__', 'constructor', 'first name']
  const output = await outputOf('edit-fields', { rows: names.map((name) => ({ name, value: name })) })
  expect(Object.entries(output as object)).toEqual(names.map((name) => [name, name]))
})

test('no rows yield an empty object', async () => {
  expect(await outputOf('edit-fields', { rows: [] })).toEqual({})
})

test('an unresolvable row is named', async () => {
  const rows = [row('ok'), { name: 'headline', value: '{{ upstream.fetch.output.titel }}' }]
  expect(await outputOf('edit-fields', { rows }, setting)).toBe(
    'failed: row "headline": could not resolve {{ upstream.fetch.output.titel }}: "titel" is not in the output of ' +
      'fetch (has: title, body, url). Did you mean "title"?',
  )
})

test('without "Keep only set fields" the node fails, and publishing warns about it without refusing', async () => {
  const sentence = '"Keep only set fields" must be on: this node outputs exactly the rows you set'
  const config = { rows: [row(1)], keepOnlySet: false }
  expect(await outputOf('edit-fields', config)).toBe(`failed: ${sentence}`)
  expect(findings('edit-fields', config)).toEqual([`error: keepOnlySet ${sentence}`])
})

test.for<[Record<string, unknown>, string[]]>([
  [{ rows: [row(1)] }, []],
  [{ rows: [row(1)], colour: 'kept' }, []],
  [{}, ['rows is required']],
  [{ rows: 'x' }, ['rows must be an array']],
  [{ rows: [{ name: '' }] }, ['rows.0.value is required', 'rows.0.name must not be empty']],
  [{ rows: [row(1), row(2)] }, ['rows.1.name is used by another row']],
  [{ rows: [row(1, 'x' as 'fixed')] }, ['rows.0.mode must be one of: expression, fixed']],
  [
    { rows: [{ name: 'n'.repeat(129), value: 1 }], keepOnlySet: 'no' },
    ['rows.0.name must have at most 128 characters', 'keepOnlySet must be a boolean'],
  ],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('edit-fields', config)).toEqual(expected)
})

test('the templates are the expressions', () => {
  const rows = [row('{{ trigger.a }}'), row('{{ trigger.b }}', 'fixed'), row(null)]
  expect(NODE_TYPES.get('edit-fields')?.templates?.({ rows })).toEqual([
    { path: 'rows.0.value', value: '{{ trigger.a }}' },
  ])
})
