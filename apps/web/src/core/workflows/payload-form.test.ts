import type { GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { type PayloadForm, payloadFaults, payloadForm, withPasswords } from './payload-form.ts'

const hook = {
  type: 'http-request',
  config: {
    fields: [
      { name: 'orderId', type: 'string', required: true },
      { name: 'amount', type: 'number' },
    ],
  },
}
const contact = {
  type: 'form-trigger',
  config: {
    title: 'Write to us',
    fields: [
      { name: 'email', label: 'Your email', type: 'email', required: true },
      { name: 'topic', label: 'Topic', type: 'dropdown', options: ['Order', { value: 'b', label: 'Bill' }] },
      { name: 'with', label: 'With', type: 'checkboxes', options: ['a', 'b'] },
      { name: 'proof', label: 'Proof', type: 'file' },
    ],
  },
}

function formOf(trigger: Parameters<typeof payloadForm>[0], payload: unknown): PayloadForm {
  const form = payloadForm(trigger, payload)
  if (form === null) throw new Error('the payload has no fields')
  return form
}

const fieldOf = (form: PayloadForm, name: string) => {
  const field = form.fields.find((one) => one.name === name)
  if (!field) throw new Error(`no field ${name}`)
  return field
}

test('the fields of a call are at the top of the payload, or below the body of a webhook', () => {
  const top = formOf(hook, { orderId: 'A', extra: 1 })
  expect(top.values).toEqual({ orderId: 'A', extra: 1 })
  expect(top.others).toEqual({ extra: 1 })
  expect(top.withValue(fieldOf(top, 'amount'), 2)).toEqual({ orderId: 'A', extra: 1, amount: 2 })
  const below = formOf(hook, { body: { orderId: 'A' }, kept: true })
  expect(below.values).toEqual({ orderId: 'A' })
  expect(below.withValue(fieldOf(below, 'amount'), 2)).toEqual({
    body: { orderId: 'A', amount: 2 },
    kept: true,
  })
})

test('a declared field that is called body is not taken for the body of a webhook', () => {
  const trigger = { type: 'http-request', config: { fields: [{ name: 'body', type: 'object' }] } }
  const form = formOf(trigger, { body: { a: 1 } })
  expect(form.values).toEqual({ body: { a: 1 } })
  expect(form.withValue(fieldOf(form, 'body'), undefined)).toEqual({})
})

test('an empty field of a call is omitted, and an empty answer of a form is bound as in a submission', () => {
  const call = formOf(hook, { orderId: 'A', amount: 2 })
  expect(call.withValue(fieldOf(call, 'amount'), undefined)).toEqual({ orderId: 'A' })
  const form = formOf(contact, { body: { email: 'a@b.example', topic: 'b', with: ['a'] } })
  expect(form.withValue(fieldOf(form, 'topic'), undefined)).toEqual({
    body: { email: 'a@b.example', topic: null, with: ['a'] },
  })
  expect(form.withValue(fieldOf(form, 'with'), undefined)).toMatchObject({ body: { with: [] } })
})

test('values that the trigger would refuse are named by their fields', () => {
  const faultsOf = (trigger: typeof hook | typeof contact, payload: unknown) =>
    Object.fromEntries(payloadFaults(trigger, formOf(trigger, payload)))
  expect(faultsOf(hook, { amount: 'many' })).toEqual({
    orderId: 'is required',
    amount: 'must be a number (got string)',
  })
  expect(faultsOf(hook, { body: { orderId: 'A' } })).toEqual({})
  expect(faultsOf(contact, { body: { email: 'nobody', topic: 'c', proof: { text: 'x' } } })).toEqual({
    email: 'must be an e-mail address',
    topic: 'must be one of the options',
  })
  // The check of the draft reports a form that is not complete yet.
  expect(faultsOf({ ...contact, config: { ...contact.config, title: '' } }, { body: {} })).toEqual({})
})

test('a trigger without fields, and a payload that is not an object, have no form', () => {
  expect(payloadForm({ type: 'manual-trigger', config: {} }, {})).toBeNull()
  expect(payloadForm({ type: 'http-request', config: {} }, {})).toBeNull()
  expect(payloadForm(hook, [1])).toBeNull()
  expect(payloadForm(contact, { body: 'text' })).toBeNull()
  expect(payloadForm(undefined, {})).toBeNull()
})

const triggerNode = (id: string, type: string, config: Record<string, unknown>): GraphNode => ({
  ...{ id, type, name: id, parentId: null, position: { x: 0, y: 0 }, config },
})

test('typed passwords replace their stored placeholders, and an unknown one is an unanswered question', () => {
  const trigger = triggerNode('f', 'form-trigger', {
    title: 'Visit',
    fields: [
      { name: 'name', label: 'Name', type: 'text' },
      { name: 'pin', label: 'PIN', type: 'password' },
    ],
  })
  const stored = { body: { name: '[redacted]', pin: '[redacted]' }, kept: 1 }
  expect(withPasswords(trigger, stored, [trigger], new Map([['f pin', 's3']]))).toEqual({
    body: { name: '[redacted]', pin: 's3' },
    kept: 1,
  })
  expect(withPasswords(trigger, stored, [trigger], new Map([['other pin', 's3']]))).toEqual({
    body: { name: '[redacted]', pin: null },
    kept: 1,
  })
  expect(withPasswords(trigger, { body: { pin: 'typed' } }, [trigger], new Map([['f pin', 's3']]))).toEqual({
    body: { pin: 'typed' },
  })
  expect(withPasswords(trigger, [1], [trigger], new Map())).toEqual([1])
  expect(withPasswords(undefined, stored, [], new Map())).toBe(stored)
})

test('a password that was typed for one trigger is sent with another one that is chosen then', () => {
  const manual = triggerNode('m', 'manual-trigger', {})
  const form = triggerNode('f', 'form-trigger', {
    ...{ title: 'Visit', fields: [{ name: 'pin', label: 'PIN', type: 'password' }] },
  })
  const api = triggerNode('a', 'http-request', { fields: [{ name: 'pin', type: 'string' }] })
  const stored = { body: { pin: '[redacted]' } }
  const typed = new Map([['f pin', 's3']])
  expect(withPasswords(manual, stored, [manual, form], typed)).toEqual({ body: { pin: 's3' } })
  expect(withPasswords(manual, stored, [manual, form], new Map())).toEqual({ body: { pin: null } })
  // Here it is the text of a field.
  expect(withPasswords(api, stored, [api, form], typed)).toEqual(stored)
})
