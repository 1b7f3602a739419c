import { JOB_STATUSES, WORKFLOW_RUN_STATUSES } from '@troupe/contract'
import { expect, test } from 'vitest'
import { awaited, isChanging, isEnded, shownStatus, stateOfRun } from './run-state.ts'

const WAITING = ['awaiting_approval']

test.each([
  ...new Set([...JOB_STATUSES, ...WORKFLOW_RUN_STATUSES]),
])('the status %s has a state', (status) => {
  expect(stateOfRun(status) === 'waiting').toBe(WAITING.includes(status))
})

test('a run that waits for people has not ended, one that timed out has', () => {
  expect(isEnded('awaiting_approval')).toBe(false)
  expect(isEnded('timeout')).toBe(true)
})

test('a run changes while it is in flight, and after a cancel until its last calls are stored', () => {
  const owed = { status: 'cancelled', completedAt: 100, agentRun: { isSettled: false } } as const
  expect(isChanging({ ...owed, status: 'running', completedAt: null }, 0)).toBe(true)
  expect(isChanging(owed, 101_000)).toBe(true)
  expect(isChanging({ ...owed, agentRun: { isSettled: true } }, 101_000)).toBe(false)
  expect(isChanging({ ...owed, agentRun: null }, 101_000)).toBe(false)
  // Its worker was lost.
  expect(isChanging(owed, 200_000)).toBe(false)
})

test('a job that waits for an approval is shown as a workflow that waits', () => {
  expect(shownStatus({ status: 'running', statusReason: 'waiting for an approval' })).toBe(
    'awaiting_approval',
  )
  expect(shownStatus({ status: 'running', statusReason: null })).toBe('running')
  expect(shownStatus({ status: 'queued', statusReason: 'waiting for a worker' })).toBe('queued')
  expect(shownStatus({ status: 'paused', statusReason: 'waiting_for_budget' })).toBe('paused')
})

test('the object of a run’s wait does not repeat the word "waiting"', () => {
  expect(awaited('waiting for 1 review: "Refund"')).toBe('1 review: "Refund"')
  expect(awaited('waiting_for_budget')).toBe('waiting_for_budget')
})
