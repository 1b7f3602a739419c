import type { NamedBudget, UnpricedConfiguration } from './operations.ts'

/** The scope of a budget: `projectId` null is the whole organization. */
type Limited = Pick<NamedBudget, 'metric' | 'projectId'>

/**
 * The configurations with models whose runs the budgets refuse, because the budgets are in dollars and the price of the
 * models is unknown. Runs of a project can use the configurations of the project and of the organization.
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
