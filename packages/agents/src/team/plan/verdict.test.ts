import { expect, test } from 'vitest'
import type { PlanReview } from './plan-review.ts'
import type { Task } from './plan-state.ts'
import { planOf, review, task } from './testing/plan-fixture.ts'
import { goalCompleted } from './verdict.ts'

const met = (...evidence: string[]) => ({ id: 'c1', met: true, evidence })
const unmet = { id: 'c1', met: false, evidence: ['t1'] }
const done = task('t1', { status: 'completed' })
const judge = (
  tasks: Task[],
  criteria: PlanReview['criteria'],
  verdict: PlanReview['verdict'] = 'complete',
) => goalCompleted(planOf(...tasks), review({ verdict, criteria }))

test.for([
  ['a completed task as evidence', [done], [met('t1')]],
  ['cancelled tasks beside it', [done, task('t2', { status: 'cancelled' })], [met('t1')]],
  ['evidence of which some is nothing', [done], [met('t9', 't1')]],
  ['one criterion proven in two entries', [done], [met('t9'), met('t1')]],
] as [string, Task[], PlanReview['criteria']][])('the goal is completed with %s', ([, tasks, criteria]) => {
  expect(judge(tasks, criteria)).toEqual({ completed: true })
})

test.for([
  ['criterion c1 was not judged', [done], []],
  ['criterion c1 is not met', [done], [unmet]],
  ['criterion c1 is not met', [done], [met('t1'), unmet]],
  ['criterion c1 has no completed task as evidence', [done], [met()]],
  ['criterion c1 has no completed task as evidence', [done], [met('t9')]],
  ['task t2 is pending', [done, task('t2')], [met('t1')]],
  ['task t2 is failed', [done, task('t2', { status: 'failed' })], [met('t1')]],
  ['task t2 is blocked', [done, task('t2', { status: 'blocked' })], [met('t1')]],
  ['task t2 is running', [done, task('t2', { status: 'running' })], [met('t1')]],
] as [string, Task[], PlanReview['criteria']][])('"complete" is refused: %s', ([why, tasks, criteria]) => {
  expect(judge(tasks, criteria)).toEqual({ completed: false, notes: [`"complete" was refused: ${why}`] })
})

test('"complete" is refused with only cancelled tasks', () => {
  expect(judge([task('t1', { status: 'cancelled' })], [met('t1')])).toEqual({
    completed: false,
    notes: [
      '"complete" was refused: criterion c1 has no completed task as evidence',
      '"complete" was refused: no task is completed',
    ],
  })
})

test.for(['continue', 'impossible'] as const)('%s is never completion and needs no note', (verdict) => {
  expect(judge([done], [met('t1')], verdict)).toEqual({ completed: false, notes: [] })
})
