import { JOB_STATUSES, WORKFLOW_RUN_STATUSES } from '@troupe/contract'
import { expect, test } from 'vitest'
import { isEnded, stateOfRun } from './run-state.ts'

const WAITING = ['awaiting_approval']

test.each([
  ...new Set([...JOB_STATUSES, ...WORKFLOW_RUN_STATUSES]),
])('the status %s has a state', (status) => {
  expect(stateOfRun(status) === 'waiting').toBe(WAITING.includes(status))
})

test('a run that waits for somebody has not ended, one that timed out has', () => {
  expect(isEnded('awaiting_approval')).toBe(false)
  expect(isEnded('timeout')).toBe(true)
})
