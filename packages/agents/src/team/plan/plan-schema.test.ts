import { validator } from '@troupe/contract'
import { describe, expect, test } from 'vitest'
import { applyReview } from './apply-review.ts'
import { type FormSchema, reviewSchema, submitPlanSchema } from './plan-schema.ts'
import { startPlan } from './plan-state.ts'
import { goalLine } from './plan-summary.ts'
import { readReview, readSubmittedPlan } from './read-plan.ts'
import { drivePlan } from './testing/drive-plan.ts'
import { ASSIGNEES, planOf, task } from './testing/plan-fixture.ts'
import { goalCompleted } from './verdict.ts'

/** The sandbox provider's answer to a forced tool if no word of the message favours an option. */
function smallest(schema: FormSchema | undefined, index = 0): unknown {
  if (!schema) throw new Error('A list without items, or a required field without a schema.')
  if (schema.enum) return schema.enum[index % schema.enum.length]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name], index)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, (_, item) => smallest(schema.items, item))
    case 'boolean':
      return true
    default:
      return 'Write a letter'.slice(0, schema.maxLength)
  }
}

/** Every schema inside a schema, with its path. */
function parts(schema: FormSchema, path = ''): [string, FormSchema][] {
  const inner = Object.entries({ ...schema.properties, ...(schema.items ? { '[]': schema.items } : {}) })
  return [[path, schema], ...inner.flatMap(([name, part]) => parts(part, `${path}.${name}`))]
}

const at = (schema: FormSchema, path: string) => parts(schema).find(([name]) => name === path)?.[1]
const state = planOf(task('t1', { status: 'completed' }), task('t2', { status: 'failed', attempts: 1 }))
const plan = submitPlanSchema(ASSIGNEES)
const review = reviewSchema(ASSIGNEES, { ...state, criteria: ['c1', 'c2'].map((id) => ({ id, text: 'x' })) })
const untried = reviewSchema(ASSIGNEES, planOf(task('t1')))

describe.for([
  ['submit_plan', plan],
  ['review', review],
  ['review before any result', untried],
] as const)('%s', ([, schema]) => {
  test('is closed, and requires everything except the fields that a retry may keep', () => {
    for (const [path, part] of parts(schema)) {
      if (part.type !== 'object') continue
      expect(part.additionalProperties, path).toBe(false)
      expect(part.required, path).toEqual(path === '.retry.[]' ? ['id'] : Object.keys(part.properties ?? {}))
    }
  })

  test('describes every field and has no empty choice', () => {
    for (const [path, part] of parts(schema)) {
      if (part.type !== 'object') expect(part.description, path).toBeTruthy()
      if (part.enum) expect(part.enum.length, path).toBeGreaterThan(0)
    }
  })

  test('accepts its smallest instance', () => {
    expect(validator(schema)(smallest(schema))).toMatchObject({ ok: true })
  })
})

test('assignees are a choice of keys, a line for each', () => {
  const assignees = [...ASSIGNEES, { key: 'lead', label: 'lead (Chief):\n everything else' }]
  expect(at(submitPlanSchema(assignees), '.tasks.[].assignee')).toEqual({
    type: 'string',
    enum: ['m1', 'm2', 'lead'],
    description:
      'Who does it.\nm1 (Billing): invoices and refunds\nm2 (Writer): letters and reports\nlead (Chief): everything else',
  })
})

test('a review knows the ids of its plan', () => {
  expect(at(review, '.criteria.[].id')?.enum).toEqual(['c1', 'c2'])
  expect(at(review, '.criteria.[].evidence.[]')?.enum).toEqual(['t1'])
  expect(at(review, '.retry.[].id')?.enum).toEqual(['t1', 't2'])
  expect(at(review, '.cancel.[]')?.enum).toEqual(['t1', 't2'])
})

test("no line of the verdict's description starts with a verdict", () => {
  const verdict = at(review, '.verdict')
  expect(verdict?.enum?.[0]).toBe('complete')
  for (const line of verdict?.description?.split(/\n|;\s*/) ?? []) {
    expect(line).not.toMatch(/^\W*(complete|continue|impossible)/)
  }
})

test('the smallest plan and the smallest reviews complete the goal after one iteration', () => {
  const read = readSubmittedPlan(smallest(plan), ASSIGNEES)
  if (!read.ok) throw new Error(read.problems.join())
  expect(read.plan).toEqual({
    goal: 'Write a letter',
    criteria: [{ id: 'c1', text: 'Write a letter' }],
    tasks: [
      { id: 't1', title: 'Write a letter', description: 'Write a letter', assignee: 'm1', dependsOn: [] },
    ],
  })
  const driven = drivePlan(startPlan(read.plan), {
    maxIterations: 10,
    assignees: ASSIGNEES,
    run: () => ({ ok: true, result: 'Dear all', memberRunId: null }),
    review: (now) => {
      const answer = readReview(smallest(reviewSchema(ASSIGNEES, now)), ['c1'])
      if (!answer.ok) throw new Error(answer.problems.join())
      return answer.review
    },
  })
  expect([goalLine(driven.state, driven.stopReason), driven.iterations]).toEqual(['Goal completed: yes', 1])
})

test('the smallest review of a plan without results is read and refused', () => {
  const before = planOf(task('t1', { status: 'failed', attempts: 1 }))
  const answer = readReview(smallest(reviewSchema(ASSIGNEES, before)), ['c1'])
  if (!answer.ok) throw new Error(answer.problems.join())
  expect(applyReview(before, answer.review, ASSIGNEES)).toMatchObject({ applied: false, notes: [] })
  expect(goalCompleted(before, answer.review)).toMatchObject({ completed: false })
})
