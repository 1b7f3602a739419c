import { type Static, Type } from 'typebox'
import { Budget, SetBudgetBody } from '../../budgets/budget.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { LlmConfigId, ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const PATH = `${ORGANIZATION_PATH}/budgets` as const

/** A budget with the name of its project. */
export const NamedBudget = Type.Object({ ...Budget.properties, projectName: Nullable(Type.String()) })
export type NamedBudget = Static<typeof NamedBudget>

/** An LLM configuration with models that a budget in dollars excludes because their price is unknown. */
export const UnpricedConfiguration = Type.Object({
  llmConfigId: Uuid<LlmConfigId>(),
  name: Type.String(),
  projectId: Nullable(Uuid<ProjectId>()),
  modelIds: Type.Array(Type.String(), { description: 'The first 5 models without a price.' }),
  count: Type.Integer({ description: 'How many models have no price.' }),
})
export type UnpricedConfiguration = Static<typeof UnpricedConfiguration>

export const listBudgetsForBuilder = defineOperation({
  id: 'listBudgets',
  method: 'GET',
  path: PATH,
  tag: 'Budgets',
  summary: 'List budgets with their usage in this month',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  success: {
    status: 200,
    description: 'Those of the organization itself first.',
    body: Type.Object({
      data: Type.Array(NamedBudget),
      unpriced: Type.Array(UnpricedConfiguration, {
        description:
          'Connected configurations with models that have no price: runs with them are refused with `model_price_missing` where a budget in dollars applies.',
      }),
    }),
  },
  errors: [],
})

export const setBudgetForBuilder = defineOperation({
  id: 'setBudget',
  method: 'PUT',
  path: PATH,
  tag: 'Budgets',
  summary: 'Set the budget of a metric',
  description:
    'There is one for each metric of the organization and of each project. Usage earlier in the month counts.',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
  body: SetBudgetBody,
  success: { status: 200, description: 'The budget.', body: NamedBudget },
  errors: ['validation_error', 'project_not_found'],
})

export const deleteBudgetForBuilder = defineOperation({
  id: 'deleteBudget',
  method: 'DELETE',
  path: `${PATH}/{budgetId}`,
  tag: 'Budgets',
  summary: 'Delete a budget',
  access: 'builder',
  needs: 'manage',
  params: Type.Object({ ...organizationParams, budgetId: Type.String() }),
  success: { status: 204, description: 'Deleted; its usage is kept in the reports.', body: Type.Null() },
  errors: ['budget_not_found'],
})
