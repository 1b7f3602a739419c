import { expect, test } from 'vitest'
import { callFailureText } from './call-failure-text.ts'

test.for([
  ['rate_limit', 'rate limit'],
  ['http_429', 'rate limit or quota'],
  ['http_503', 'HTTP 503'],
  ['something_new', 'something_new'],
] as const)('the failure %s is called "%s"', ([code, text]) => {
  expect(callFailureText(code)).toBe(text)
})
