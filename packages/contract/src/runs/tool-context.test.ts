import { expect, test } from 'vitest'
import { toolContextErrors } from './tool-context.ts'

const messages = (context: Record<string, unknown>) =>
  toolContextErrors(context).map((error) => error.message)

test('an ordinary tool context is accepted', () => {
  expect(toolContextErrors({ customer_id: '42', locale: { lang: 'de' } })).toEqual([])
})

test('all exceeded limits are reported together', () => {
  const deep = { a: { b: { c: { d: { e: 1 } } } } }
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'x'.repeat(400)]))
  expect(messages({ ...many, '1bad': 1, deep })).toEqual([
    'must have at most 50 keys',
    'must be a key of letters, digits and _, at most 64, not starting with a digit',
    'must be nested at most 5 levels deep',
    'must be at most 16 KB of JSON',
  ])
})

test('the limits themselves are allowed', () => {
  expect(toolContextErrors({ a: { b: { c: { d: 1 } } } })).toEqual([])
  expect(toolContextErrors({ a: { b: { c: { d: {} } } } })).toEqual([])
  expect(messages({ a: { b: { c: { d: { e: {} } } } } })).toHaveLength(1)
})
