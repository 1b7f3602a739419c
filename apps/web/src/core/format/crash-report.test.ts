import { expect, test } from 'vitest'
import { crashReport } from './crash-report.ts'

const PLACE = { at: new Date(0), path: '/o/acme/agents?q=a', browser: 'Firefox' }
const FACTS = 'Page: /o/acme/agents?q=a\nTime: 1970-01-01T00:00:00.000Z\nBrowser: Firefox'

function thrown(stack: string): Error {
  const error = new TypeError('x is null')
  error.stack = stack
  return error
}

test.for<[what: string, error: unknown, text: string]>([
  [
    'a stack with the message',
    thrown('TypeError: x is null\n  at a.js:1'),
    'TypeError: x is null\n  at a.js:1',
  ],
  ['a stack without it', thrown('f@a.js:1'), 'TypeError: x is null\nf@a.js:1'],
  ['a value that is no error', 'broken', 'broken'],
])('the report of %s has message, stack, page, time and browser', ([_, error, text]) => {
  expect(crashReport(error, PLACE)).toBe(`${text}\n\n${FACTS}`)
})
