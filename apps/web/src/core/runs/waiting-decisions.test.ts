import type { RunDetail } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { isDecidedInPlace, waitingDecisions } from './waiting-decisions.ts'

const runWith = (parts: object) => ({ agentRun: null, workflowRun: null, ...parts }) as unknown as RunDetail

test('a run of an agent waits for its pending calls only', () => {
  const approvals = [
    { approvalId: 'a', status: 'approved' },
    { approvalId: 'b', status: 'pending' },
  ]
  const waiting = waitingDecisions(runWith({ agentRun: { approvals } }))
  expect(waiting.approvals.map(({ approvalId }) => approvalId)).toEqual(['b'])
})

test('a workflow waits for open reviews, and for runs of its steps that wait', () => {
  const workflowRun = {
    reviews: [
      { reviewId: 'r1', status: 'approved' },
      { reviewId: 'r2', status: 'open' },
    ],
    nodes: [
      // A Human Review also waits, but has no run of its own.
      { status: 'waiting', agentRunId: null, name: 'Approve' },
      { status: 'running', agentRunId: 'x', name: 'Write' },
      { status: 'waiting', agentRunId: 'y', name: 'Pay' },
    ],
  }
  const { reviews, inside } = waitingDecisions(runWith({ workflowRun }))
  expect(reviews.map(({ reviewId }) => reviewId)).toEqual(['r2'])
  expect(inside).toEqual([{ runId: 'y', step: 'Pay' }])
})

test.each([
  ['a question', {}, true],
  ['values that may be changed', { fields: [{ name: 'amount' }] }, false],
  ['a comment that a rejection needs', { requireRejectComment: true }, false],
  ['an approval that the person has given', { hasApproved: true }, false],
  ['a review that others decide', { obstacle: 'You started this run.' }, false],
])('%s: decided by a press or not', (_what, parts, isInPlace) => {
  const plain = { fields: [], requireRejectComment: false, hasApproved: false, obstacle: null }
  expect(isDecidedInPlace({ ...plain, ...parts } as Parameters<typeof isDecidedInPlace>[0])).toBe(isInPlace)
})
