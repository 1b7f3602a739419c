import { newId, RunId } from '@troupe/contract'
import { describe, expect, test } from 'vitest'
import { readyTasks, settle, startPlan, taskEnded, taskStarted } from './plan-state.ts'
import { planOf, statuses, task } from './testing/plan-fixture.ts'

const RUN = newId(RunId)

test('a plan starts with every task pending and untried', () => {
  const { goal, criteria, tasks } = planOf(task('t1'), task('t2', { dependsOn: ['t1'] }))
  const state = startPlan({ goal, criteria, tasks })
  expect(state).toEqual({ goal, criteria, tasks })
  expect(state.tasks[0]).toMatchObject({ status: 'pending', attempts: 0, result: null, memberRunId: null })
})

test.for([
  ['pending', true],
  ['running', false],
  ['completed', true],
  ['failed', false],
  ['blocked', false],
  ['cancelled', false],
] as const)('a task is ready when its dependencies are completed, not when they are %s', ([status]) => {
  const ready = readyTasks(planOf(task('t1', { status }), task('t2', { dependsOn: ['t1'] })))
  const expected = { pending: ['t1'], completed: ['t2'] }[status as string] ?? []
  expect(ready.map(({ id }) => id)).toEqual(expected)
})

describe('an attempt', () => {
  const first = taskStarted(planOf(task('t1'), task('t2')), 't1')

  test('is counted when it starts', () => {
    expect(first.state.tasks[0]).toMatchObject({ status: 'running', attempts: 1 })
    expect(first.changes).toEqual([{ task: first.state.tasks[0], previousStatus: 'pending' }])
  })

  test('completes with the result', () => {
    const { state, changes } = taskEnded(first.state, 't1', { ok: true, result: 'A', memberRunId: RUN })
    expect(state.tasks[0]).toMatchObject({ status: 'completed', result: 'A', error: null, memberRunId: RUN })
    expect(changes).toEqual([{ task: state.tasks[0], previousStatus: 'running' }])
  })

  test('fails with the error', () => {
    const { state } = taskEnded(first.state, 't1', { ok: false, error: 'no', memberRunId: null })
    expect(state.tasks[0]).toMatchObject({ status: 'failed', result: null, error: 'no', memberRunId: null })
  })

  test('does not start twice and does not end without a start', () => {
    expect(() => taskStarted(first.state, 't1')).toThrow('Task t1 is running, not pending.')
    expect(() => taskEnded(first.state, 't2', { ok: true, result: '', memberRunId: null })).toThrow(
      'Task t2 is pending, not running.',
    )
    expect(() => taskStarted(first.state, 't9')).toThrow('Task t9 is unknown, not pending.')
  })

  test('does not change the previous state', () => {
    const before = planOf(task('t1'))
    const copy = structuredClone(before)
    taskStarted(before, 't1')
    expect(before).toEqual(copy)
  })
})

describe('settle', () => {
  const chain = (status: 'failed' | 'completed' | 'running' | 'pending', rest: 'pending' | 'blocked') =>
    planOf(
      task('t3', { dependsOn: ['t2'], status: rest }),
      task('t2', { dependsOn: ['t1'], status: rest }),
      task('t1', { status }),
      task('t4', { status: rest }),
    )

  test('blocks all transitive dependents of a failed task', () => {
    const { state, changes } = settle(chain('failed', 'pending'))
    expect(statuses(state)).toEqual({ t3: 'blocked', t2: 'blocked', t1: 'failed', t4: 'pending' })
    expect(changes.map(({ task: { id }, previousStatus }) => [id, previousStatus])).toEqual([
      ['t3', 'pending'],
      ['t2', 'pending'],
    ])
  })

  test.for(['completed', 'running', 'pending'] as const)('unblocks all dependents of a %s task', (status) => {
    const { state } = settle(chain(status, 'blocked'))
    expect(statuses(state)).toEqual({ t3: 'pending', t2: 'pending', t1: status, t4: 'pending' })
  })

  test('does not change completed, running and cancelled dependents of a failed task', () => {
    const before = planOf(
      task('t1', { status: 'failed' }),
      ...(['completed', 'running', 'cancelled'] as const).map((status) =>
        task(status, { status, dependsOn: ['t1'] }),
      ),
    )
    expect(settle(before)).toEqual({ state: before, changes: [] })
  })
})
