import { BudgetId, type BundleBudget, type OrganizationId } from '@troupe/contract'
import { limitMicros } from '@troupe/operations/budgets/micros'
import type { BudgetRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import { type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A budget to be written. */
export type WrittenBudget = Omit<BudgetRecord, 'createdAt'>

export async function planBudgets(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleBudget>[],
  stored: readonly BudgetRecord[],
  projectOf: ProjectLookup,
): Promise<Step<WrittenBudget>[]> {
  const levelled = items.flatMap((item) => {
    const projectId = projectOf(item)
    return projectId === undefined ? [] : [{ path: item.path, value: { ...item.value, projectId } }]
  })
  const levelOf = ({ metric, projectId }: Pick<BudgetRecord, 'metric' | 'projectId'>) =>
    `${metric} ${projectId}`
  const placed = await place(planner, BudgetId, levelled, stored, {
    field: 'metric',
    ofItem: levelOf,
    ofRow: levelOf,
  })
  return placed.map(({ item: { value }, stored: before, id }) => {
    const { projectId, metric, limit, period = 'month' } = value
    const after = { id, organizationId, projectId, metric, limitMicros: limitMicros(limit), period }
    return { before, after, changed: before === null || budgetDiffers(before, after) }
  })
}

function budgetDiffers(before: WrittenBudget, after: WrittenBudget): boolean {
  return (
    before.projectId !== after.projectId ||
    before.metric !== after.metric ||
    before.limitMicros !== after.limitMicros ||
    before.period !== after.period
  )
}
