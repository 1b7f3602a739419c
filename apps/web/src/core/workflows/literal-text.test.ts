import { expect, test } from 'vitest'
import { literalOf } from './literal-text.ts'

test.for([
  ['3', 3],
  [' -0.5 ', -0.5],
  ['1.0', 1],
  ['', null],
  [' ', null],
  ['1.', '1.'],
  ['1e3', '1e3'],
  ['9'.repeat(400), '9'.repeat(400)],
  ['9007199254740993', '9007199254740993'],
  ['{{ trigger.n }}', '{{ trigger.n }}'],
  ['true', 'true'],
] as const)('as a number, %j is %j', ([text, value]) => {
  expect(literalOf('number', text)).toBe(value)
})

test.for([
  ['true', true],
  ['false ', false],
  ['', null],
  ['yes', 'yes'],
  ['1', '1'],
  ['{{ trigger.isUrgent }}', '{{ trigger.isUrgent }}'],
] as const)('as true or false, %j is %j', ([text, value]) => {
  expect(literalOf('boolean', text)).toBe(value)
})
