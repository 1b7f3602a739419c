import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { deleteBudget } from './delete-budget.ts'
import { listNamedBudgets, withProjectNames } from './named-budgets.ts'
import { type SetBudgetParts, setBudget } from './set-budget.ts'
import { unpricedConfigurations } from './unpriced-configurations.ts'

/** Budgets of the organization and of its projects. */
export function budgetHandlers(
  parts: SetBudgetParts & { database: Pick<Database, 'read'> },
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = parts.database
  return [
    handler(op.listBudgets, async ({ caller }) => {
      const [data, unpriced] = await Promise.all([
        listNamedBudgets(read, caller),
        unpricedConfigurations(read, caller.organizationId),
      ])
      return { data, unpriced }
    }),
    handler(op.setBudget, async ({ caller, body }) => {
      const budget = await setBudget(parts, caller, caller.actor, body)
      const [shown] = await withProjectNames(read, caller.organizationId, [budget])
      return shown ?? { ...budget, projectName: null }
    }),
    handler(op.deleteBudget, async ({ caller, params }) => {
      await deleteBudget(parts, caller, caller.actor, params.budgetId)
      return null
    }),
  ]
}
