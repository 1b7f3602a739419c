import { expect, test } from 'vitest'
import { isRaised } from './raised-role.ts'

test.for([
  ['reviewer', 'owner', true],
  ['admin', 'owner', true],
  ['member', 'admin', true],
  ['viewer', 'member', false],
  ['owner', 'admin', false],
  ['owner', 'owner', false],
] as const)('from %s to %s needs a confirmation: %s', ([from, to, isAsked]) => {
  expect(isRaised(from, to)).toBe(isAsked)
})
