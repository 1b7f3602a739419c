import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundleParts, openBundleParts } from './testing/bundle-parts.ts'
import { Organizations } from './testing/organizations.ts'

let parts: BundleParts
let organizations: Organizations
beforeAll(async () => {
  parts = await openBundleParts()
  organizations = new Organizations(parts)
})
afterAll(() => parts[Symbol.asyncDispose]())

const budgetsOf = async (slug: string) => parts.database.read.budgets.list(await organizations.id(slug))
const BODY = `    budgets:
      - { metric: workflow_runs, limit: 100, period: month, project: null }
      - { metric: llm_cost_usd, limit: 0.1 }
      - { metric: workflow_runs, limit: 0, project: one }
`

test('budgets are one of each metric and level, and applying them again writes nothing', async () => {
  const slug = await organizations.furnished()
  const applied = await organizations.apply(slug, BODY)
  expect(applied.budgets).toEqual({ created: 3, updated: 0, unchanged: 0 })
  const stored = await budgetsOf(slug)
  expect(
    stored.map(({ metric, projectId, limitMicros }) => [metric, projectId !== null, limitMicros]),
  ).toEqual([
    ['llm_cost_usd', false, 100_000],
    ['workflow_runs', false, 100_000_000],
    ['workflow_runs', true, 0],
  ])
  parts.told.length = 0
  expect((await organizations.apply(slug, BODY)).budgets).toEqual({ created: 0, updated: 0, unchanged: 3 })
  expect(parts.told).toEqual([])
  const changed = await organizations.apply(slug, BODY.replace('limit: 100', 'limit: 200.5'))
  expect(changed.budgets).toEqual({ created: 0, updated: 1, unchanged: 2 })
  expect((await budgetsOf(slug))[1]).toMatchObject({ id: stored[1]?.id, limitMicros: 200_500_000 })
  await organizations.apply(slug, '    budgets: []\n')
  expect(await budgetsOf(slug)).toHaveLength(3)
})

test('an id moves a budget to another level', async () => {
  const id = randomUUID()
  const slug = await organizations.furnished()
  const body = (project: string) =>
    `    budgets: [{ metric: llm_tokens, id: ${id}, limit: 5, project: ${project} }]\n`
  await organizations.apply(slug, body('null'))
  expect((await organizations.apply(slug, body('one'))).budgets.updated).toBe(1)
  expect(await budgetsOf(slug)).toMatchObject([{ id, projectId: expect.any(String) }])
})

test('problems of budgets have their lines', async () => {
  const slug = await organizations.furnished()
  expect(
    await organizations.problems(
      slug,
      `    budgets:
      - { metric: tokens, limit: 1 }
      - { metric: llm_tokens, limit: -1, period: day }
      - { metric: llm_tokens, limit: 1e10 }
      - { metric: voice_minutes, limit: 1, project: nope }
      - { metric: voice_minutes, limit: 1, project: one }
      - { metric: voice_minutes, limit: 2, project: one }
      - { metric: voice_minutes, limit: 2 }
`,
    ),
  ).toEqual([
    '6 budgets.0.metric: must be one of: workflow_runs, llm_tokens, llm_cost_usd, voice_minutes',
    '7 budgets.1.limit: must be at least 0',
    '7 budgets.1.period: must be one of: month',
    '8 budgets.2.limit: must be at most 9000000000',
    '9 budgets.3.project: is not a project of this organization: nope',
    '11 budgets.5.metric: is used by another budget of this level on line 10',
  ])
})
