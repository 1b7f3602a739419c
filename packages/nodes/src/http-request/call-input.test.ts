import { expect, test } from 'vitest'
import { callInput, readsBody } from './call-input.ts'

const fields = [{ name: 'message', type: 'string', required: true }]
const graph = (token: string, declared: object[] = fields) => [
  { id: 'start', type: 'http-request', config: { fields: declared } },
  { id: 'step', type: 'ai-agent', config: { message: `About {{ ${token} }}` } },
]

test.for<[string, boolean]>([
  ['trigger.body.message', true],
  ['trigger.body', true],
  ['upstream.start.output.body.message', true],
  ['upstream.step.output.body', false],
  ['trigger.bodyText', false],
  ['trigger.message', false],
  ['trigger', false],
])('a step that reads %s reads the payload of a webhook: %s', ([token, isBody]) => {
  expect(readsBody(graph(token))).toBe(isBody)
})

test('a declared field named body is read from where the API binds it', () => {
  const nodes = graph('trigger.body', [{ name: 'body', type: 'string' }])
  expect(callInput(nodes, { body: 'Hi' })).toEqual({ body: 'Hi' })
})

test('the input of a call also has the values below body, if the steps read them there', () => {
  expect(callInput(graph('trigger.message'), { message: 'Hi' })).toEqual({ message: 'Hi' })
  expect(callInput(graph('trigger.body.message'), { message: 'Hi' })).toEqual({
    message: 'Hi',
    body: { message: 'Hi' },
  })
})

test('a body sent by the caller is passed on unchanged', () => {
  const manual = [
    { id: 'start', type: 'manual-trigger', config: { sample: { body: 'Hello' } } },
    { id: 'step', type: 'ai-agent', config: { message: '{{ trigger.body }}' } },
  ]
  expect(callInput(manual, { body: 'Hi' })).toEqual({ body: 'Hi' })
  const webhook = graph('trigger.body.orderId', [])
  expect(callInput(webhook, { body: { orderId: 7 } })).toEqual({ body: { orderId: 7 } })
})
