import type { Scope } from '@troupe/agents/ports'
import type { Budget } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { presentBudget } from './present-budget.ts'

/**
 * The budgets of an organization with this month's usage, organization-level budgets first. A project scope
 * sees only its project's budgets.
 */
export async function listBudgets(
  { budgets }: Pick<Readers, 'budgets'>,
  { organizationId, projectId }: Scope,
): Promise<Budget[]> {
  const listed: Budget[] = []
  for (const record of await budgets.list(organizationId)) {
    if (projectId !== null && record.projectId !== projectId) continue
    listed.push(presentBudget(record, (await budgets.used(organizationId, record.id)) ?? 0))
  }
  return listed
}
