import { expect, test } from 'vitest'
import { sampleBody, samplePayload } from './sample-payload.ts'

test('a payload for a run by hand is the sample, or has every field', () => {
  const fields = [
    { name: 'order', type: 'string' },
    { name: 'count', type: 'number' },
  ]
  expect(samplePayload({ type: 'http-request', config: { fields } })).toEqual({ order: '', count: 0 })
  expect(samplePayload({ type: 'form-trigger', config: { fields } })).toEqual({
    body: { order: '', count: 0 },
  })
  expect(samplePayload({ type: 'http-request', config: { fields, sample: { a: 1 } } })).toEqual({ a: 1 })
  expect(samplePayload({ type: 'http-request', config: { fields, sample: { a: 1 } } }, true)).toEqual({
    body: { a: 1 },
  })
  expect(samplePayload({ type: 'manual-trigger', config: {} })).toEqual({})
})

test('a sample that lacks a required field gets it, so that the run is not refused', () => {
  const fields = [
    { name: 'order', type: 'string', required: true },
    { name: 'note', type: 'string' },
  ]
  expect(samplePayload({ type: 'http-request', config: { fields, sample: { a: 1 } } })).toEqual({
    order: '',
    a: 1,
  })
})

test('a call of the webhook has the fields expected by every trigger that it starts', () => {
  const http = (name: string) => ({ type: 'http-request', config: { fields: [{ name, type: 'number' }] } })
  const form = { type: 'form-trigger', config: { fields: [{ name: 'email', type: 'email' }] } }
  expect(sampleBody([form, http('a'), http('b')])).toEqual({ a: 0, b: 0 })
  // Without an HTTP trigger, the form is started; it reads its values below `body`, where the webhook puts them.
  expect(sampleBody([form])).toEqual({ email: '' })
  expect(sampleBody([{ type: 'manual-trigger', config: {} }])).toBeNull()
})

test('a form sends its sample below the body, with an empty value for each question that is not in it', () => {
  const fields = [
    { name: 'email', type: 'email' },
    { name: 'age', type: 'number' },
  ]
  const sample = { email: 'ana@example.com', removed: 'a question that the form no longer has' }
  const form = { type: 'form-trigger', config: { fields, sample } }
  expect(samplePayload(form)).toEqual({ body: { email: 'ana@example.com', age: 0 } })
  expect(sampleBody([form])).toEqual({ email: 'ana@example.com', age: 0 })
})
