import { expect, test } from 'vitest'
import { withKnownExample } from './token-example.ts'

const FORM = [
  { path: 'trigger.body.files', type: 'array' },
  { path: 'trigger.body.subject', type: 'string' },
  { path: 'trigger.body.amount', type: 'integer' },
]

test('the example in a placeholder names a field of the form', () => {
  expect(withKnownExample('Summarize: {{ trigger.text }}', FORM, 'string')).toBe(
    'Summarize: {{ trigger.body.subject }}',
  )
})

test('the example of a number is a number', () => {
  expect(withKnownExample('A token such as {{ trigger.amount }}.', FORM, 'number')).toBe(
    'A token such as {{ trigger.body.amount }}.',
  )
})

test('a text without a known token of its type, without an example, or about the keys of a form stays', () => {
  for (const text of ['{{ trigger.isUrgent }}', 'One per line.', '{{ trigger.body.<name> }}', null]) {
    expect(withKnownExample(text, FORM, 'boolean')).toBe(text)
  }
  expect(withKnownExample('{{ trigger.text }}', [], 'string')).toBe('{{ trigger.text }}')
})

test('a path with signs of replacements is inserted as it is', () => {
  const tokens = [{ path: 'trigger.body.$&', type: 'string' }]
  expect(withKnownExample('{{ trigger.text }}', tokens, 'string')).toBe('{{ trigger.body.$& }}')
})
