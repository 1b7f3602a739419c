import { expect, test } from 'vitest'
import { tracedReview } from './traced-review.ts'

const secrets = { names: new Set(['pin']), values: ['hunter2'] }
const ID = '00000000-0000-4000-8000-00000000000a'
const field = (name: string, value: unknown) => ({
  ...{ name, label: name, type: 'text' as const, options: [], required: false },
  value,
})

test('a value hidden by a form is hidden in every value of a review: by its name, and wherever a reviewer wrote it', () => {
  const traced = tracedReview(
    {
      ...{ reviewId: ID, executionId: ID, workflowId: ID, workflowName: 'W', nodeId: 'ask', path: '' },
      ...{ title: 'Access', instructions: 'It is hunter2.', status: 'approved', approvals: 1 },
      ...{ approvalsRequired: 1, createdAt: 1, expiresAt: null, decidedAt: 2 },
      data: [
        { label: 'pin', value: 'a' },
        { label: 'Sent', value: { body: 'hunter2' } },
      ],
      fields: [field('pin', 'b'), field('note', null)],
      proposed: { pin: 'b', note: null },
      decision: {
        by: { type: 'user', id: ID, name: 'Ana' },
        comment: null,
        data: { pin: 'c', note: 'hunter2!' },
      },
      votes: [
        {
          ...{ name: 'Ana', isOwn: false, decision: 'approve', comment: null, at: 2 },
          changes: [
            { name: 'pin', label: 'Pin', from: 'b', to: 'c' },
            { name: 'note', label: 'Note', from: null, to: 'hunter2!' },
          ],
        },
      ],
    },
    secrets,
  )
  expect(traced).toMatchObject({
    instructions: 'It is [redacted].',
    data: [{ value: '[redacted]' }, { value: { body: '[redacted]' } }],
    fields: [{ value: '[redacted]' }, { value: null }],
    proposed: { pin: '[redacted]', note: null },
    decision: { data: { pin: '[redacted]', note: '[redacted]!' } },
    votes: [
      {
        changes: [
          { from: '[redacted]', to: '[redacted]' },
          { from: null, to: '[redacted]!' },
        ],
      },
    ],
  })
})
