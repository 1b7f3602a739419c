import { expect, test } from 'vitest'
import { agentWordsOf } from './setting-labels.ts'
import { inFormWords } from './value-text.ts'

test('a change of a choice is shown in the words of the form', () => {
  const mode = { path: 'config.execution.output.mode', before: 'text', after: 'json_schema' }
  expect(inFormWords(mode, agentWordsOf)).toEqual({ ...mode, before: 'Text', after: 'JSON' })
  const name = { path: 'name', before: 'text', after: 'json_schema' }
  expect(inFormWords(name, agentWordsOf)).toEqual(name)
})

test('an item that is new as a whole has a line for each setting, in the words of the form', () => {
  const rules = [{ type: 'pii', action: 'redact', entities: ['email', 'phone'], threshold: 0.4 }]
  const rule = { path: 'config.guardrails.input', before: [], after: rules }
  expect(inFormWords(rule, agentWordsOf).after).toBe(
    '- Kind: Personal data\n  Action: Redact\n  Detected data:\n    - E-mail addresses\n    - Phone numbers\n  Threshold: 0.4',
  )
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const tool = { path: 'config.tools.0', before: undefined, after: { name: 'orders', input_schema: schema } }
  expect(inFormWords(tool, agentWordsOf).after).toBe(
    'Name: orders\nArguments:\n  type: object\n  properties:\n    name:\n      type: string',
  )
})

test('an order is a numbered line for each item, with its difference from one with the same name', () => {
  const [orders, pii] = [
    { type: 'http', name: 'orders' },
    { type: 'pii', action: 'flag' },
  ]
  const order = (path: string, items: object[]) =>
    inFormWords({ path, kind: 'order', before: items, after: items.toReversed() }, agentWordsOf)
  expect(order('config.tools', [orders, { type: 'builtin', builtin: 'calculator' }])).toMatchObject({
    before: '1. orders\n2. Calculator',
    after: '1. Calculator\n2. orders',
  })
  expect(order('config.guardrails.input', [pii]).after).toBe('1. Personal data')
  expect(order('config.guardrails.input', [pii, { type: 'pii', action: 'block' }]).after).toBe(
    '1. Personal data: Block\n2. Personal data: Flag',
  )
  const rule = (action: string, message: string) => ({ type: 'pii', action, message, schema: { a: message } })
  expect(
    order('config.guardrails.input', [rule('flag', 'x'), rule('flag', 'y'), rule('block', 'z')]).before,
  ).toBe('1. Personal data: x\n2. Personal data: y\n3. Personal data: z')
})

test('a value of free form stays as it is', () => {
  const metadata = { path: 'config.metadata', before: undefined, after: { name: 'x', nested: [{ a: 1 }] } }
  expect(inFormWords(metadata, agentWordsOf)).toEqual(metadata)
})
