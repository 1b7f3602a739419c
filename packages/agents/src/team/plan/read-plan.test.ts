import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReview, readSubmittedPlan } from './read-plan.ts'
import { ASSIGNEES } from './testing/plan-fixture.ts'

const wire = (id: string, fields: object = {}) => ({
  id,
  title: `Title ${id}`,
  description: `Do ${id}.`,
  assignee: 'm1',
  depends_on: [] as string[],
  ...fields,
})
const plan = (...tasks: object[]) => ({
  goal: 'The goal.',
  done_criteria: [{ id: 'c1', text: 'It is done.' }],
  tasks,
})
const many = (count: number) => Array.from({ length: count }, (_, index) => wire(`t${index + 1}`))

describe('readSubmittedPlan', () => {
  test('returns the plan', () => {
    const input = plan(wire('t1', { title: ' Two\n lines ' }), wire('t2', { depends_on: ['t1', 't1'] }))
    expect(readSubmittedPlan(input, ASSIGNEES)).toEqual({
      ok: true,
      plan: {
        goal: 'The goal.',
        criteria: [{ id: 'c1', text: 'It is done.' }],
        tasks: [
          { id: 't1', title: 'Two lines', description: 'Do t1.', assignee: 'm1', dependsOn: [] },
          { id: 't2', title: 'Title t2', description: 'Do t2.', assignee: 'm1', dependsOn: ['t1'] },
        ],
      },
    })
  })

  test.for([
    ['a missing list of dependencies', plan({ ...wire('t1'), depends_on: undefined })],
    ['null for no dependencies', plan(wire('t1', { depends_on: null }))],
    ['fields that nobody asked for', { ...plan(wire('t1', { note: 1 })), extra: true }],
    ['ids of its own choice', plan(wire('research'), wire('Straße', { depends_on: ['research'] }))],
    ['20 tasks', plan(...many(20))],
  ] as [string, unknown][])('accepts %s', ([, input]) => {
    expect(readSubmittedPlan(input, ASSIGNEES)).toMatchObject({ ok: true })
  })

  test.for([
    [null, ['the input must be an object']],
    ['text', ['the input must be an object']],
    [{}, ['goal is required', 'done_criteria is required', 'tasks is required']],
    [{ ...plan(wire('t1')), goal: ' ' }, ['goal must not be empty']],
    [{ ...plan(wire('t1')), done_criteria: [] }, ['done_criteria must have at least 1 item']],
    [plan(), ['tasks must have at least 1 item']],
    [plan(...many(21)), ['tasks must have at most 20 items']],
    [plan(wire('t 1')), ['tasks.0.id must be one word']],
    [plan(wire('t1', { assignee: 1 })), ['tasks.0.assignee must be a string']],
    [plan(wire('t1'), wire('t1'), wire('t1')), ['two tasks have the id t1']],
    [
      { ...plan(wire('t1')), done_criteria: [1, 2].map(() => ({ id: 'c1', text: 'x' })) },
      ['two criteria have the id c1'],
    ],
    [plan(wire('t1', { assignee: 'm9' })), ['task t1 is assigned to m9, which is not one of m1, m2']],
    [plan(wire('t1', { assignee: 'lead' })), ['task t1 is assigned to lead, which is not one of m1, m2']],
    [plan(wire('t2', { depends_on: ['t9'] })), ['task t2 depends on t9, which does not exist']],
    [plan(wire('t1', { depends_on: ['t1'] })), ['task t1 depends on itself']],
    [
      plan(wire('t1', { depends_on: ['t2'] }), wire('t2', { depends_on: ['t1'] })),
      ['tasks t1, t2 depend on each other in a cycle'],
    ],
  ] as [unknown, string[]][])('refuses %j', ([input, problems]) => {
    expect(readSubmittedPlan(input, ASSIGNEES)).toEqual({ ok: false, problems })
  })

  test('a promoted lead can be an assignee', () => {
    const assignees = [...ASSIGNEES, { key: 'lead', label: 'lead (Chief)' }]
    expect(readSubmittedPlan(plan(wire('t1', { assignee: 'lead' })), assignees)).toMatchObject({ ok: true })
  })
})

describe('readReview', () => {
  test('returns the review, with missing fields as empty', () => {
    expect(readReview({ verdict: 'continue' }, ['c1'])).toEqual({
      ok: true,
      review: { criteria: [], verdict: 'continue', reason: '', add: [], retry: [], cancel: [] },
    })
    const input = {
      criteria: [{ id: 'c1', met: true, evidence: ['t1'] }],
      verdict: 'complete',
      reason: 'All is there.',
      add: [wire('t5', { depends_on: null })],
      retry: [{ id: 't1' }, { id: 't2', assignee: 'm2', description: ' Better. ' }],
      cancel: ['t3'],
    }
    expect(readReview(input, ['c1'])).toEqual({
      ok: true,
      review: {
        ...input,
        add: [{ id: 't5', title: 'Title t5', description: 'Do t5.', assignee: 'm1', dependsOn: [] }],
        retry: [
          { id: 't1', assignee: null, description: null },
          { id: 't2', assignee: 'm2', description: 'Better.' },
        ],
      },
    })
  })

  test('leaves unknown tasks to the function that applies it', () => {
    const input = {
      verdict: 'continue',
      cancel: ['t9'],
      retry: [{ id: 't8' }],
      add: [wire('t1'), wire('t1')],
    }
    expect(readReview(input, ['c1'])).toMatchObject({ ok: true })
  })

  test.for([
    [undefined, ['the input must be an object']],
    [{}, ['verdict is required']],
    [{ verdict: 'done' }, ['verdict must be one of: complete, continue, impossible']],
    [{ verdict: 'complete', criteria: [{ id: 'c1', met: 'yes' }] }, ['criteria.0.met must be a boolean']],
    [
      { verdict: 'complete', criteria: [{ id: 'c9', met: true }] },
      ['criterion c9 does not exist; the criteria are c1, c2'],
    ],
    [
      { verdict: 'continue', add: [{ id: 't9', title: 'x', description: 'x' }] },
      ['add.0.assignee is required'],
    ],
  ] as [unknown, string[]][])('refuses %j', ([input, problems]) => {
    expect(readReview(input, ['c1', 'c2'])).toEqual({ ok: false, problems })
  })
})

test('any input of a model is read or refused with at least one and at most 20 problems', () => {
  fc.assert(
    fc.property(fc.anything(), (input) => {
      for (const read of [readSubmittedPlan(input, ASSIGNEES), readReview(input, ['c1'])]) {
        if (read.ok) continue
        expect(read.problems.length).toBeGreaterThan(0)
        expect(read.problems.length).toBeLessThanOrEqual(20)
      }
    }),
  )
})
