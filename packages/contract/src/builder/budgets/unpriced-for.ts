import type { NamedBudget, UnpricedConfiguration } from './operations.ts'

/** What a budget limits: `projectId` null is the whole organization. */
type Limited = Pick<NamedBudget, 'metric' | 'projectId'>

/**
 * The configurations with models whose runs the budgets refuse, as they count dollars and nothing says what the models cost. Runs of a
 * project can use the configurations of the project and of the organization.
 */
export function unpricedFor(
  budgets: readonly Limited[],
  unpriced: readonly UnpricedConfiguration[],
): UnpricedConfiguration[] {
  const inDollars = budgets.filter(({ metric }) => metric === 'llm_cost_usd')
  return unpriced.filter((one) =>
    inDollars.some(
      ({ projectId }) => projectId === null || one.projectId === null || one.projectId === projectId,
    ),
  )
}
