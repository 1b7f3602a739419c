import { expect, test } from 'vitest'
import { formTrigger } from '../form-trigger/definition.ts'
import { readForm } from '../form-trigger/form.ts'
import { readSubmission } from '../form-trigger/submission.ts'
import { payloadFields, sampleBody, sampleFields, samplePayload, withSamples } from './sample-payload.ts'

test('a payload for a run by hand is the sample, or has an example of every field', () => {
  const fields = [
    { name: 'customerEmail', type: 'string' },
    { name: 'count', type: 'number' },
    { name: 'urgent', type: 'boolean' },
    { name: 'meta', type: 'object' },
  ]
  const examples = { customerEmail: 'ana@example.com', count: 2, urgent: true, meta: {} }
  expect(samplePayload({ type: 'http-request', config: { fields } })).toEqual(examples)
  expect(samplePayload({ type: 'http-request', config: { fields, sample: { a: 1 } } })).toEqual({ a: 1 })
  expect(samplePayload({ type: 'http-request', config: { fields, sample: { a: 1 } } }, true)).toEqual({
    body: { a: 1 },
  })
  expect(samplePayload({ type: 'manual-trigger', config: {} })).toEqual({})
})

test('a sample that lacks a required field gets an example of it, so that the run is not refused', () => {
  const fields = [
    { name: 'orderId', type: 'string', required: true },
    { name: 'note', type: 'string' },
  ]
  expect(samplePayload({ type: 'http-request', config: { fields, sample: { a: 1 } } })).toEqual({
    orderId: 'A-1001',
    a: 1,
  })
})

test('a call of the webhook has the fields expected by every trigger that it starts', () => {
  const http = (name: string) => ({ type: 'http-request', config: { fields: [{ name, type: 'number' }] } })
  const form = { type: 'form-trigger', config: { fields: [{ name: 'email', type: 'email' }] } }
  expect(sampleBody([form, http('a'), http('b')])).toEqual({ a: 1, b: 1 })
  // Without an HTTP trigger, the form is started; it reads its values below `body`, where the webhook puts them.
  expect(sampleBody([form])).toEqual({ email: 'ana@example.com' })
  expect(sampleBody([{ type: 'manual-trigger', config: {} }])).toBeNull()
})

test('a form sends its sample below the body, and leaves optional questions without a value empty', () => {
  const fields = [
    { name: 'email', type: 'email', required: true },
    { name: 'age', type: 'number' },
    { name: 'topics', type: 'checkboxes', options: ['a', 'b'] },
    { name: 'proof', type: 'file', multiple: true },
  ]
  const sample = { age: 7, removed: 'a question that the form no longer has' }
  const form = { type: 'form-trigger', config: { fields, sample } }
  const body = { email: 'ana@example.com', age: 7, topics: [], proof: [] }
  expect(samplePayload(form)).toEqual({ body })
  expect(sampleBody([form])).toEqual(body)
})

test('the generated answers of a form are accepted by it, within every limit', () => {
  const fields = [
    { name: 'short', label: 'A message', type: 'text', maxLength: 12 },
    { name: 'long', label: 'Anything', type: 'textarea', minLength: 40 },
    { name: 'age', label: 'Age', type: 'number', min: 60, max: 70 },
    { name: 'cold', label: 'Temperature', type: 'number', max: -5 },
    { name: 'even', label: 'Even', type: 'number', min: 4, step: 2 },
    { name: 'mail', label: 'Mail', type: 'email' },
    { name: 'word', label: 'Password', type: 'password' },
    { name: 'from', label: 'From', type: 'date', min: '2027-05-01' },
    { name: 'until', label: 'Until', type: 'date', max: '2020-05-01' },
    { name: 'size', label: 'Size', type: 'dropdown', options: [{ value: 's', label: 'Small' }, 'm'] },
    { name: 'pay', label: 'Payment', type: 'radio', options: ['card', 'cash'] },
    { name: 'with', label: 'With', type: 'checkboxes', options: ['a', 'b', 'c'], min: 2 },
    { name: 'campaign', label: 'Campaign', type: 'hidden', defaultValue: 'spring' },
  ].map((field) => ({ ...field, required: true }))
  const config = { title: 'Everything', fields }
  const form = readForm(config)
  if (!form.ok) throw new Error(JSON.stringify(form.errors))
  const { body } = samplePayload({ type: formTrigger.type, config }) as { body: Record<string, unknown> }
  expect(readSubmission(form.value, body)).toMatchObject({ ok: true, values: body })
  expect(body).toMatchObject({ age: 60, until: '2020-05-01', size: 's', campaign: 'spring' })
})

test('sample values kept beside the draft replace those of the settings, and those of other steps stay', () => {
  const nodes = [
    { id: 'hook', type: 'http-request', config: { sample: { a: 1 } } },
    { id: 'by-hand', type: 'manual-trigger', config: { sample: { b: 1 } } },
  ]
  const samples = new Map<string, unknown>([
    ['hook', { a: 2 }],
    ['by-hand', { b: 2 }],
    ['gone', { c: 2 }],
  ])
  expect(withSamples(nodes, samples).map(({ config }) => config.sample)).toEqual([{ a: 2 }, { b: 1 }])
})

test('names and limits of any size in a draft yield short examples', () => {
  const fields = [
    { name: `${'x'.repeat(100_000)}email`, type: 'text', minLength: 1e12 },
    { name: 'tags', type: 'checkboxes', options: ['a'], min: 1e12 },
  ]
  const body = JSON.stringify(samplePayload({ type: 'form-trigger', config: { fields } }))
  expect(body.length).toBeLessThan(130_000)
})

test('a password of a form is among its fields, but not among its sample fields', () => {
  const fields = [
    { name: 'pin', type: 'password' },
    { name: 'city', type: 'text', required: true },
  ]
  const trigger = { type: 'form-trigger', config: { fields } }
  const city = { name: 'city', label: 'city', type: 'text', isRequired: true, example: 'Lisbon' }
  expect(sampleFields(trigger)).toEqual([{ ...city, options: [], isList: false }])
  expect(payloadFields(trigger).map(({ name }) => name)).toEqual(['pin', 'city'])
  expect(sampleFields({ type: 'recurrence', config: { fields } })).toEqual([])
})

test('a field has its question as its label, and the values that it offers', () => {
  const fields = [
    {
      name: 'size',
      label: 'Which size?',
      type: 'dropdown',
      options: ['m', { value: 's', label: 'Small' }, 7],
    },
    { name: 'with', label: '', type: 'checkboxes', options: [{ value: 'a' }] },
    { name: '', type: 'text' },
  ]
  expect(payloadFields({ type: 'form-trigger', config: { fields } })).toMatchObject([
    {
      label: 'Which size?',
      options: [
        { value: 'm', label: 'm' },
        { value: 's', label: 'Small' },
      ],
      isList: false,
    },
    { label: 'with', options: [{ value: 'a', label: 'a' }], isList: true },
  ])
})
