import { OPERATIONS, type Operation } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import fastJsonStringify from 'fast-json-stringify'
import { expect, test } from 'vitest'

test('the response schema of every operation can be compiled, although a start compiles none', () => {
  const operations: Operation[] = [...Object.values(OPERATIONS), ...Object.values(BUILDER_OPERATIONS)]
  const withJson = operations.filter(({ success }) => success.type === undefined)
  const wrong = withJson.filter(({ success }) => {
    try {
      return typeof fastJsonStringify({ ...success.body }) !== 'function'
    } catch {
      return true
    }
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
  expect(withJson.length).toBeGreaterThan(150)
})
