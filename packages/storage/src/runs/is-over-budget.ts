import type { RunStore } from '@troupe/agents/ports'
import { boolean } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

/** The function is called only if there is a budget, because it takes the lock of the organization's starts. */
const IS_OVER_BUDGET = statement<'organizationId' | 'projectId'>(
  'is_over_budget',
  (p) => `
select exists (
  select from budgets where organization_id = ${p.organizationId}::uuid
    and (project_id is null or project_id = ${p.projectId}::uuid) and metric in ('llm_tokens', 'llm_cost_usd')
) and refuse_run(${p.organizationId}::uuid, ${p.projectId}::uuid) is not null as refused`,
).returning({ refused: boolean() })

export function isOverBudget(client: SqlClient): RunStore['isOverBudget'] {
  return async ({ organizationId, projectId }) => {
    const [row] = await client.query(...IS_OVER_BUDGET({ organizationId, projectId }))
    return row?.refused ?? false
  }
}
