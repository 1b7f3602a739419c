import { expect, test } from 'vitest'
import { apiSample } from './api-sample.ts'

const node = (id: string, type: string, config: object = {}) => ({ id, type, config: { ...config } })
const HTTP = node('h', 'http-request', { fields: [{ name: 'order', type: 'string', required: true }] })

test.each([
  [
    'of a manual trigger, its sample',
    [node('m', 'manual-trigger', { sample: { order: '1' } }), HTTP],
    { order: '1' },
  ],
  ['of an HTTP trigger, its fields', [HTTP], { order: 'A-1001' }],
  [
    'of steps that read what a webhook brings, below body, too',
    [HTTP, node('s', 'edit-fields', { text: '{{trigger.body.order}}' })],
    { order: 'A-1001', body: { order: 'A-1001' } },
  ],
  [
    'of a form, an example of each field',
    [
      node('f', 'form-trigger', {
        fields: [
          { name: 'mail', type: 'email' },
          { name: 'age', type: 'number' },
        ],
      }),
    ],
    { body: { mail: 'ana@example.com', age: 34 } },
  ],
  ['of a schedule, nothing', [node('r', 'recurrence')], {}],
])('a call sends %s', (_, nodes, input) => {
  expect(apiSample(nodes)).toEqual(input)
})
