import { newId, RunId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { applyReview } from './apply-review.ts'
import type { PlanReview } from './plan-review.ts'
import { type PlanState, settle, type Task, taskStarted } from './plan-state.ts'
import { ASSIGNEES, planOf, review, statuses, task } from './testing/plan-fixture.ts'

const apply = (state: PlanState, fields: Partial<PlanReview>) => applyReview(state, review(fields), ASSIGNEES)
const retry = (id: string, assignee: string | null = null, description: string | null = null) => ({
  retry: [{ id, assignee, description }],
})
const find = (state: PlanState, id: string) => state.tasks.find((one) => one.id === id)

test('an empty review changes nothing', () => {
  const state = planOf(task('t1', { status: 'completed', attempts: 1, result: 'A' }))
  expect(apply(state, {})).toEqual({ state, changes: [], notes: [], applied: false })
})

test.for(['pending', 'failed', 'blocked'] as const)('a %s task is cancelled and delays nothing', (status) => {
  const state = planOf(
    task('t0', { status: status === 'blocked' ? 'failed' : 'completed' }),
    task('t1', { status, dependsOn: ['t0'], error: status === 'failed' ? 'no' : null }),
    task('t2', { status: 'blocked', dependsOn: ['t1'] }),
    task('t3', { status: 'completed', dependsOn: ['t1'] }),
  )
  const done = apply(state, { cancel: ['t1', 't1'] })
  expect(find(done.state, 't1')).toMatchObject({ status: 'cancelled', error: null })
  expect(find(done.state, 't2')).toMatchObject({ status: 'pending', dependsOn: [] })
  expect(find(done.state, 't3')).toMatchObject({ status: 'completed', dependsOn: [] })
  expect(done.changes.map((change) => [change.task.id, change.previousStatus])).toEqual([
    ['t1', status],
    ['t2', 'blocked'],
  ])
  expect(done).toMatchObject({ notes: [], applied: true })
})

test.for([
  ['t1', 'cancel of t1 refused: it is completed'],
  ['t2', 'cancel of t2 refused: it is cancelled'],
  ['t9', 'cancel of t9 refused: there is no such task'],
])('%s cannot be cancelled', ([id, note]) => {
  const state = planOf(task('t1', { status: 'completed' }), task('t2', { status: 'cancelled' }))
  expect(apply(state, { cancel: [id as string] })).toEqual({
    state,
    changes: [],
    notes: [note],
    applied: false,
  })
})

test.for(['failed', 'completed'] as const)('a %s task is retried twice, never a third time', (status) => {
  for (const attempts of [1, 2]) {
    const memberRunId = newId(RunId)
    const state = planOf(task('t1', { status, attempts, result: 'A', error: 'no', memberRunId }))
    const done = apply(state, retry('t1', 'm2', 'Better.'))
    expect(done.state.tasks).toEqual([
      task('t1', { attempts, assignee: 'm2', description: 'Better.', memberRunId }),
    ])
    expect(done.changes).toEqual([{ task: done.state.tasks[0], previousStatus: status }])
    expect(done.applied).toBe(true)
    expect(taskStarted(done.state, 't1').state.tasks[0]).toMatchObject({ attempts: attempts + 1 })
  }
  const used = planOf(task('t1', { status, attempts: 3 }))
  expect(apply(used, retry('t1'))).toEqual({
    state: used,
    changes: [],
    notes: ['retry of t1 refused: 3 attempts used'],
    applied: false,
  })
})

test('a retry keeps the assignee and the description unless it replaces them', () => {
  const state = planOf(task('t1', { status: 'failed', attempts: 1 }))
  expect(apply(state, retry('t1')).state.tasks).toEqual([task('t1', { attempts: 1 })])
})

test.for([
  ['t9', null, 'retry of t9 refused: there is no such task'],
  ['pending', null, 'retry of pending refused: it is pending'],
  ['blocked', null, 'retry of blocked refused: it is blocked'],
  ['cancelled', null, 'retry of cancelled refused: it is cancelled'],
  ['failed', 'm9', 'retry of failed refused: m9 is not one of m1, m2'],
] as [string, string | null, string][])('%s is not retried by %s', ([id, assignee, note]) => {
  const state = planOf(
    ...(['pending', 'failed', 'cancelled'] as const).map((status) => task(status, { status })),
    task('blocked', { status: 'blocked', dependsOn: ['failed'] }),
  )
  expect(apply(state, retry(id, assignee))).toEqual({ state, changes: [], notes: [note], applied: false })
})

test('a retried completed task makes unfinished tasks wait and leaves completed ones completed', () => {
  const state = planOf(
    task('t1', { status: 'completed', attempts: 1 }),
    task('t2', { status: 'completed', attempts: 1, dependsOn: ['t1'] }),
    task('t3', { dependsOn: ['t1'] }),
  )
  const done = apply(state, retry('t1'))
  expect(statuses(done.state)).toEqual({ t1: 'pending', t2: 'completed', t3: 'pending' })
})

test('a retried failed task unblocks its dependents', () => {
  const before = planOf(task('t1', { status: 'failed', attempts: 1 }), task('t2', { dependsOn: ['t1'] }))
  const { state } = settle(before)
  const done = apply(state, retry('t1'))
  expect(statuses(done.state)).toEqual({ t1: 'pending', t2: 'pending' })
  expect(done.changes.map((change) => change.previousStatus)).toEqual(['failed', 'blocked'])
})

test('a task that was cancelled in the same review is not retried', () => {
  const done = apply(planOf(task('t1', { status: 'failed', attempts: 1 })), {
    cancel: ['t1'],
    ...retry('t1'),
  })
  expect(statuses(done.state)).toEqual({ t1: 'cancelled' })
  expect(done.notes).toEqual(['retry of t1 refused: it is cancelled'])
})

test('the second retry of one task in a review is refused', () => {
  const twice = { id: 't1', assignee: null, description: null }
  const done = apply(planOf(task('t1', { status: 'failed', attempts: 1 })), { retry: [twice, twice] })
  expect(done.notes).toEqual(['retry of t1 refused: it is pending'])
})

test('an added task is new, and settled like any other', () => {
  const state = planOf(task('t1', { status: 'failed', attempts: 3 }))
  const done = apply(state, { add: [task('t2', { dependsOn: ['t1'] }), task('t3')] })
  expect(statuses(done.state)).toEqual({ t1: 'failed', t2: 'blocked', t3: 'pending' })
  expect(done.changes.map((change) => [change.task.id, change.previousStatus])).toEqual([
    ['t2', null],
    ['t3', null],
  ])
  expect(done).toMatchObject({ notes: [], applied: true })
})

const added = (...add: Task[]) => {
  const state = planOf(task('t1', { status: 'completed' }), task('t2', { status: 'cancelled' }))
  const done = apply(state, { add })
  return { tasks: done.state.tasks.slice(2), notes: done.notes, applied: done.applied }
}

test('a used id gets the next free number', () => {
  const { tasks, notes } = added(task('t1'), task('t1'), task('t2'), task('t1-2'))
  expect(tasks.map(({ id }) => id)).toEqual(['t1-2', 't1-3', 't2-2', 't1-2-2'])
  expect(notes).toEqual([
    'the new task t1 is t1-2, because t1 was in use',
    'the new task t1 is t1-3, because t1 was in use',
    'the new task t2 is t2-2, because t2 was in use',
    'the new task t1-2 is t1-2-2, because t1-2 was in use',
  ])
})

test('among added tasks an id means the added one, in itself the existing one', () => {
  const { tasks } = added(task('t5', { dependsOn: ['t1'] }), task('t1', { dependsOn: ['t1'] }))
  expect(tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
    ['t5', ['t1-2']],
    ['t1-2', ['t1']],
  ])
})

test('added tasks may depend on later ones and keep their order', () => {
  const { tasks, applied } = added(task('t4', { dependsOn: ['t5'] }), task('t5', { dependsOn: ['t1'] }))
  expect(tasks.map(({ id }) => id)).toEqual(['t4', 't5'])
  expect(applied).toBe(true)
})

test('an added task does not wait for a cancelled one', () => {
  const { tasks, notes } = added(task('t3', { dependsOn: ['t2', 't1'] }))
  expect(tasks[0]?.dependsOn).toEqual(['t1'])
  expect(notes).toEqual(['the new task t3 does not wait for t2, which is cancelled'])
})

test.for([
  [[task('t3', { assignee: 'm9' })], ['the new task t3 was refused: m9 is not one of m1, m2']],
  [
    [task('t3', { dependsOn: ['t9'] })],
    ['the new task t3 was refused: it depends on t9, which does not exist'],
  ],
  [[task('t3', { dependsOn: ['t3'] })], ['the new task t3 was refused: it depends on itself']],
  [
    [task('t3', { dependsOn: ['t4'] }), task('t4', { dependsOn: ['t3'] })],
    [
      'the new task t3 was refused: its dependencies form a cycle',
      'the new task t4 was refused: its dependencies form a cycle',
    ],
  ],
  [
    [task('t3', { dependsOn: ['t4'] }), task('t4', { assignee: 'm9' })],
    [
      'the new task t3 was refused: it depends on t4, which was refused',
      'the new task t4 was refused: m9 is not one of m1, m2',
    ],
  ],
] as [Task[], string[]][])('refuses the new tasks %#', ([add, notes]) => {
  expect(added(...add)).toEqual({ tasks: [], notes, applied: false })
})

test('a refused task does not affect the others', () => {
  const { tasks, applied } = added(task('t3', { assignee: 'm9' }), task('t4'))
  expect(tasks.map(({ id }) => id)).toEqual(['t4'])
  expect(applied).toBe(true)
})

test('a plan has at most 40 tasks, cancelled ones included', () => {
  const tasks = Array.from({ length: 39 }, (_, index) =>
    task(`t${index}`, { status: index === 0 ? 'cancelled' : 'completed' }),
  )
  const add = [task('b', { dependsOn: ['c'] }), task('a'), task('c')]
  const done = apply(planOf(...tasks), { add })
  expect(done.state.tasks).toHaveLength(40)
  expect(done.state.tasks.at(-1)?.id).toBe('a')
  expect(done.notes).toEqual([
    'the new task b was refused: it depends on c, which was refused',
    'the new task c was refused: a plan has at most 40 tasks',
  ])
})

test('the state before a review is unchanged', () => {
  const state = planOf(task('t1', { status: 'failed', attempts: 1 }), task('t2', { dependsOn: ['t1'] }))
  const copy = structuredClone(state)
  apply(state, { cancel: ['t2'], ...retry('t1'), add: [task('t1')] })
  expect(state).toEqual(copy)
})
