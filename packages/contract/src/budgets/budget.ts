import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { Uuid } from '../schema/formats.ts'
import type { BudgetId, ProjectId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** The metrics that can be limited, each in its own unit: runs, tokens, US dollars, minutes. */
export const BUDGET_METRICS = ['workflow_runs', 'llm_tokens', 'llm_cost_usd', 'voice_minutes'] as const
export type BudgetMetric = (typeof BUDGET_METRICS)[number]

/** In the metric's unit, exact to a millionth; finer fractions are not stored exactly. */
export const BudgetLimit = Type.Number({ minimum: 0, maximum: 9_000_000_000 })
/** A calendar month in UTC. */
export const BudgetPeriod = Choice(['month'])

/** The monthly limit of an organization or a project. */
export const Budget = Type.Object({
  budgetId: Uuid<BudgetId>(),
  projectId: Nullable(
    Uuid<ProjectId>({ description: 'null: the whole organization, including its projects.' }),
  ),
  metric: Choice(BUDGET_METRICS),
  limit: BudgetLimit,
  period: BudgetPeriod,
  used: Type.Number({ description: 'In this month, in the unit of the metric.' }),
})
export type Budget = Static<typeof Budget>

/** Unique per metric and level: setting it again changes its limit. */
export const SetBudgetBody = Type.Object({
  metric: Choice(BUDGET_METRICS),
  limit: BudgetLimit,
  projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
})
export type SetBudgetBody = Static<typeof SetBudgetBody>
