import { JOB_STATUSES, WORKFLOW_RUN_STATUSES } from '@troupe/contract'
import { expect, test } from 'vitest'
import { isEnded, runLook } from './run-state.ts'

const STATUSES = [...new Set([...JOB_STATUSES, ...WORKFLOW_RUN_STATUSES])]

test.each(STATUSES)('the status %s has a look', (status) => {
  expect(runLook(status) === 'queued').toBe(status === 'queued')
})

test('a run that waits for somebody has not ended, one that timed out has', () => {
  expect(isEnded('awaiting_approval')).toBe(false)
  expect(isEnded('timeout')).toBe(true)
})
