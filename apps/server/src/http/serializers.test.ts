import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { OPERATIONS } from '@troupe/contract'
import fastJsonStringify from 'fast-json-stringify'
import { expect, test } from 'vitest'
import { lazySerializer } from './serializers.ts'

const JSON_OPERATIONS = [...Object.values(OPERATIONS), ...Object.values(BUILDER_OPERATIONS)].filter(
  ({ success }) => success.type === undefined,
)

test('the response schema of every operation can be compiled, although a start compiles none', () => {
  const wrong = JSON_OPERATIONS.filter(({ success }) => {
    try {
      return typeof fastJsonStringify(success.body) !== 'function'
    } catch {
      return true
    }
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
  expect(JSON_OPERATIONS.length).toBeGreaterThan(150)
})

test('a response has the declared fields only', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const value = { a: 'x', secret: 'y' }
  expect(lazySerializer({ schema })(value)).toBe('{"a":"x"}')
  expect(lazySerializer({ schema })(value)).toBe('{"a":"x"}')
})
