import type { Budget, OrganizationId } from '@troupe/contract'
import type { NamedBudget } from '@troupe/contract/builder'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { listBudgets } from './list-budgets.ts'

/** Budgets with the names of their projects. */
export async function withProjectNames(
  { projects }: Pick<Readers, 'projects'>,
  organizationId: OrganizationId,
  budgets: readonly Budget[],
): Promise<NamedBudget[]> {
  const names = new Map<string, string>(
    (await projects.list(organizationId)).map(({ id, name }) => [id, name]),
  )
  return budgets.map((one) => ({
    ...one,
    projectName: one.projectId === null ? null : (names.get(one.projectId) ?? null),
  }))
}

/** The budgets of the organization with this month's usage, those of the organization itself first. */
export async function listNamedBudgets(
  read: Pick<Readers, 'budgets' | 'projects'>,
  caller: BuilderCaller,
): Promise<NamedBudget[]> {
  return withProjectNames(read, caller.organizationId, await listBudgets(read, caller))
}
