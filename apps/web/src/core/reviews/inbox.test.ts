import { expect, test } from 'vitest'
import { byDeadline } from './by-deadline.ts'
import { byAge, type InboxItem, itemOfApproval, joinedItems, nextAfter, unapproved } from './inbox.ts'

const item = (id: string, expiresAt: number | null, createdAt = 1): InboxItem => ({
  ...{ kind: 'review', id, title: id, detail: '', status: 'open', expiresAt, createdAt },
  ...{ quorum: null, hasApproved: false },
})
const ids = (items: readonly InboxItem[]) => items.map(({ id }) => id)

test('the nearest deadline is first, and those without one are last, the oldest first', () => {
  const items = [item('never', null, 5), item('late', 90), item('soon', 10), item('older', null, 2)]
  expect(ids(byDeadline(items))).toEqual(['soon', 'late', 'older', 'never'])
})

test('decided ones are listed newest first', () => {
  expect(ids(byAge([item('a', null, 1), item('b', null, 3), item('c', null, 2)]))).toEqual(['b', 'c', 'a'])
})

test.for([
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'b'],
  ['gone', 'a'],
])('after a decision on %s, %s opens', ([decided, next]) => {
  const items = [item('a', 1), item('b', 2), item('c', 3)]
  expect(nextAfter(items, decided ?? '')?.id).toBe(next)
})

test('an already approved review does not open after another decision', () => {
  const approved = (id: string, at: number) => ({ ...item(id, at), hasApproved: true })
  expect(nextAfter([item('a', 1), approved('b', 2), item('c', 3)], 'a')?.id).toBe('c')
  expect(nextAfter([item('a', 1), approved('b', 2), item('c', 3)], 'c')?.id).toBe('a')
  expect(nextAfter([item('a', 1), approved('b', 2)], 'a')).toBeNull()
})

test('already approved reviews are not counted as waiting', () => {
  const items = [{ ...item('a', 1), hasApproved: true }, item('b', 2)]
  expect(ids(unapproved(items))).toEqual(['b'])
  expect(unapproved(items.slice(0, 1))).toEqual([])
})

test('after the last one nothing opens', () => {
  expect(nextAfter([item('a', 1)], 'a')).toBeNull()
})

test('rows of one list wait for the next page of the other, so that it is added at the end', () => {
  const reviews = [item('r1', 1), item('r2', 4)]
  const approvals = [item('a1', 2), item('a2', 9)]
  const shown = (hasMore: boolean) =>
    ids(
      joinedItems(
        [
          { items: reviews, hasMore },
          { items: approvals, hasMore: false },
        ],
        byDeadline,
      ),
    )
  expect(shown(true)).toEqual(['r1', 'a1', 'r2'])
  expect(shown(false)).toEqual(['r1', 'a1', 'r2', 'a2'])
})

test('several calls of one tool are distinguished by their arguments', () => {
  const id = '00000000-0000-4000-8000-00000000000a'
  const approval = (args: Record<string, unknown>) => ({
    ...{
      approvalId: id,
      runId: id,
      workflowRunId: null,
      agentId: id,
      agentName: 'Researcher',
      toolName: 'refund',
      toolCallId: 'c',
      args,
    },
    ...({
      status: 'pending',
      createdAt: 1,
      expiresAt: 2,
      decidedAt: null,
      resolvedBy: null,
      resolvedAt: null,
      reason: null,
    } as const),
  })
  expect(itemOfApproval(approval({ order: 'A-1', amount: 5 })).detail).toBe('order: A-1, amount: 5')
  expect(itemOfApproval(approval({ note: 'x'.repeat(500) })).detail).toHaveLength(121)
  expect(itemOfApproval(approval({})).detail).toBe('Approval of a tool call')
})
