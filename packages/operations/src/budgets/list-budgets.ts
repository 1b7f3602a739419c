import type { Scope } from '@troupe/agents/ports'
import type { Budget } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { presentBudget } from './present-budget.ts'

/**
 * The budgets of an organization with this month's usage, organization-level budgets first. A project scope
 * sees only its project's budgets.
 */
export async function listBudgets({ budgets }: Pick<Readers, 'budgets'>, scope: Scope): Promise<Budget[]> {
  return (await budgets.listUsed(scope)).map(({ used, ...record }) => presentBudget(record, used))
}
