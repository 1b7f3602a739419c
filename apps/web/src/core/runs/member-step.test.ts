import { expect, test } from 'vitest'
import { memberStepText } from './member-step.ts'

test.for([
  ['member:m1:0', 'member m1'],
  ['member:m2:1', 'member m2, round 2'],
  ['task:t1:1', 'task t1'],
  ['task:t1:2', 'task t1, attempt 2'],
  ['call:0.0/m2', 'member m2'],
  ['call:0.0/agent', 'as a tool'],
  ['something-newer', null],
] as const)('the step %s of a member is called "%s"', ([stepKey, text]) => {
  expect(memberStepText(stepKey)).toBe(text)
})
