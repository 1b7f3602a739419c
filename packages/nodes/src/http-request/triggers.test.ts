import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { outputOf } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'
import { runGraph } from '../testing/run-graph.ts'

const field = (name: string, type: string, required?: boolean) => ({
  name,
  type,
  ...(required && { required }),
})
const fields = [
  field('orderId', 'string', true),
  field('qty', 'number'),
  field('gift', 'boolean'),
  field('meta', 'object'),
]

test.for<[unknown, string[]]>([
  [{ orderId: 'A-1' }, []],
  [{ orderId: '', extra: 1 }, []],
  [{ orderId: 'A', qty: null }, []],
  [{}, ['"orderId" is required']],
  [[], ['"orderId" is required']],
  ['text', ['"orderId" is required']],
  [{ orderId: null, qty: '2' }, ['"orderId" is required', '"qty" must be a number (got string)']],
  [
    { orderId: 1, gift: 'yes', meta: [] },
    [
      '"orderId" must be a string (got number)',
      '"gift" must be a boolean (got string)',
      '"meta" must be an object (got array)',
    ],
  ],
])('the declared fields find in %j: %j', ([payload, faults]) => {
  const start = { id: 'start', name: 'Start', type: 'http-request', config: { fields } }
  const { status, error } = runGraph({ nodes: [start], edges: [] }, payload)
  expect({ status, error }).toEqual(
    faults.length === 0
      ? { status: 'completed', error: null }
      : {
          status: 'failed',
          error: `Payload does not match the HTTP Request trigger: ${faults.join('; ')}`,
        },
  )
})

test.for<[Record<string, unknown>, string[]]>([
  [{}, []],
  [{ fields, rejectDuplicates: true, sample: { orderId: 'A' } }, []],
  [{ fields: [field('a', 'string'), field('a', 'number')] }, ['fields.1.name is used by another field']],
  [
    { fields: [{ type: 'list' }], rejectDuplicates: 1, sample: [] },
    [
      'fields.0.name is required',
      'fields.0.type must be one of: string, number, boolean, object',
      'rejectDuplicates must be a boolean',
      'sample must be an object or null',
    ],
  ],
])('the HTTP Request config %j has the findings %j', ([config, expected]) => {
  expect(findings('http-request', config)).toEqual(expected)
})

test('fields that are not complete declare nothing', () => {
  const given = [{ name: 'a' }, 7, { name: 'b', type: 'string', required: 'yes' }]
  expect(NODE_TYPES.get('http-request')?.fields?.({ fields: given })).toEqual([
    { name: 'b', type: 'string', required: false },
  ])
})

test('the triggers output the payload, and a Recurrence an empty one', async () => {
  const trigger = { body: { a: 1 } }
  const form = { title: 'F', fields: [{ name: 'a', label: 'A', type: 'text' }] }
  expect(await outputOf('http-request', {}, { trigger })).toEqual(trigger)
  expect(await outputOf('manual-trigger', { sample: {} }, { trigger })).toEqual(trigger)
  expect(await outputOf('form-trigger', form, { trigger })).toEqual(trigger)
  expect(await outputOf('recurrence', { mode: 'cron', cron: '@daily' }, { trigger })).toEqual({})
})

test('a trigger has one handle and no template', () => {
  for (const type of ['manual-trigger', 'http-request', 'form-trigger', 'recurrence'] as const) {
    expect(NODE_TYPES.get(type)?.handles({})).toEqual(['out'])
    expect(NODE_TYPES.get(type)?.templates?.({ sample: { a: '{{ trigger.x }}' } })).toEqual([])
  }
})
