import { randomUUID } from 'node:crypto'
import type { DomainError, SetBudgetBody } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { deleteBudget } from './delete-budget.ts'
import { listBudgets } from './list-budgets.ts'
import { setBudget } from './set-budget.ts'

let teams: Teams & AsyncDisposable
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const { budgetId } of await list()) await remove(budgetId)
  teams.audited()
  teams.parts.told.length = 0
})

/** In these tests, no run waits for a budget. */
const send = () => expect.unreachable()
const set = (body: SetBudgetBody, scope = teams.scope) =>
  setBudget({ ...teams.parts, send }, scope, BUILDER, body)
const list = (scope = teams.scope) => listBudgets(teams.parts.database.read, scope)
const remove = (id: string, scope = teams.scope) => deleteBudget({ ...teams.parts, send }, scope, BUILDER, id)
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => expect.fail('it was not refused'),
    ({ code }: DomainError) => code,
  )

test('setting a budget creates it, and setting it again changes its limit', async () => {
  const made = await set({ metric: 'llm_cost_usd', limit: 0.1 })
  expect(made).toMatchObject({
    metric: 'llm_cost_usd',
    limit: 0.1,
    period: 'month',
    projectId: null,
    used: 0,
  })
  const changed = await set({ metric: 'llm_cost_usd', limit: 25.5 })
  expect(changed).toEqual({ ...made, limit: 25.5 })
  expect(await list()).toEqual([changed])
  expect(teams.audited()).toMatchObject([
    { action: 'budget.created', entityId: made.budgetId, before: null, after: { limit: 0.1 } },
    { action: 'budget.updated', before: { limit: 0.1 }, after: { limit: 25.5 } },
  ])
  expect(teams.parts.told).toContain(teams.scope.organizationId)
  await set({ metric: 'llm_cost_usd', limit: 25.5 })
  expect(teams.audited()).toEqual([])
})

test('two concurrent settings result in one budget', async () => {
  await Promise.all([1, 2, 3].map((limit) => set({ metric: 'workflow_runs', limit })))
  expect(await list()).toHaveLength(1)
})

test('each level has its own, and a project scope has those of its project', async () => {
  const { project, projectScope } = teams
  await set({ metric: 'workflow_runs', limit: 100 })
  await set({ metric: 'workflow_runs', limit: 10, projectId: project('two') })
  const own = await set({ metric: 'workflow_runs', limit: 5, projectId: project('two') }, projectScope)
  expect(own.projectId).toBe(project('one'))
  expect(await list(projectScope)).toEqual([own])
  expect((await list()).map(({ limit }) => limit).toSorted((a, b) => a - b)).toEqual([5, 10, 100])
  expect(await refusal(set({ metric: 'workflow_runs', limit: 1, projectId: randomUUID() }))).toBe(
    'project_not_found',
  )
})

test('deleting one requires access to it, and happens once', async () => {
  const { budgetId } = await set({ metric: 'llm_tokens', limit: 5 })
  teams.audited()
  expect(await refusal(remove(budgetId, teams.otherScope))).toBe('budget_not_found')
  expect(await refusal(remove(budgetId, teams.projectScope))).toBe('forbidden')
  for (const id of ['nonsense', randomUUID()]) expect(await refusal(remove(id))).toBe('budget_not_found')
  await remove(budgetId.toUpperCase())
  expect(teams.audited()).toMatchObject([{ action: 'budget.deleted', before: { limit: 5 }, after: null }])
  expect(await refusal(remove(budgetId))).toBe('budget_not_found')
})
