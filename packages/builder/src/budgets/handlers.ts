import { BUILDER_OPERATIONS, type NamedBudget } from '@troupe/builder-contract'
import type { Budget, OrganizationId } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { deleteBudget } from '@troupe/operations/budgets/delete-budget'
import { listBudgets } from '@troupe/operations/budgets/list-budgets'
import { type SetBudgetParts, setBudget } from '@troupe/operations/budgets/set-budget'
import { type BuilderHandler, handler } from '../handling/handler.ts'

/** Budgets of the organization and of its projects. */
export function budgetHandlers(
  parts: SetBudgetParts & { database: Pick<Database, 'read'> },
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = parts.database
  const named = async (
    organizationId: OrganizationId,
    budgets: readonly Budget[],
  ): Promise<NamedBudget[]> => {
    const names = new Map<string, string>(
      (await read.projects.list(organizationId)).map(({ id, name }) => [id, name]),
    )
    return budgets.map((one) => ({
      ...one,
      projectName: one.projectId === null ? null : (names.get(one.projectId) ?? null),
    }))
  }
  return [
    handler(op.listBudgets, async ({ caller }) => ({
      data: await named(caller.organizationId, await listBudgets(read, caller)),
    })),
    handler(op.setBudget, async ({ caller, body }) => {
      const budget = await setBudget(parts, caller, caller.actor, body)
      const [shown] = await named(caller.organizationId, [budget])
      return shown ?? { ...budget, projectName: null }
    }),
    handler(op.deleteBudget, async ({ caller, params }) => {
      await deleteBudget(parts, caller, caller.actor, params.budgetId)
      return null
    }),
  ]
}
