import type { Scope } from '@troupe/agents/ports'
import { type BudgetId, DomainError, type IdText, isUuid } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { Actor, Database } from '@troupe/storage'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedBudget } from './audited-budget.ts'

/** Dependencies of the operation. */
export interface DeleteBudgetParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
  /** Sends a delivery of a workflow run to the engine without waiting for it. */
  send: (delivery: Delivery) => void
}

/**
 * Deletes a budget; its usage is kept in the ledger, and runs that waited for it continue.
 *
 * @throws DomainError `budget_not_found` (also for ids of other organizations), or `forbidden` for a budget outside the
 * project of a project scope
 */
export async function deleteBudget(
  { database, configChanges, send }: DeleteBudgetParts,
  scope: Scope,
  actor: Actor,
  budgetId: IdText<BudgetId>,
): Promise<void> {
  const { organizationId } = scope
  const deliveries = await database.transaction(async ({ read, write, workflowRuns }) => {
    await write.organizations.lock(organizationId)
    const id = isUuid(budgetId) ? budgetId.toLowerCase() : null
    const before = (await read.budgets.list(organizationId)).find((one) => one.id === id)
    if (!before) throw new DomainError('budget_not_found', 'Budget not found in this organization.')
    if (scope.projectId !== null && before.projectId !== scope.projectId) {
      throw new DomainError('forbidden', 'The budget does not belong to the project of this API key.')
    }
    await write.budgets.delete(organizationId, before.id)
    await write.audit.append({
      organizationId,
      projectId: before.projectId,
      actor,
      action: 'budget.deleted',
      entityKind: 'budget',
      entityId: before.id,
      before: auditedBudget(before),
      after: null,
    })
    return workflowRuns.resumeWithinBudget(organizationId)
  })
  configChanges.committed(organizationId)
  // After the commit: a turn that started earlier would find its run paused.
  deliveries.forEach(send)
}
