import { randomUUID } from 'node:crypto'
import type { BudgetRecord } from '../../src/budgets/port.ts'
import type { Database } from '../../src/database.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { runOn, sessionOf, usage } from './run-builders.ts'
import type { Subject, Tenant } from './tenant.ts'

export type NewBudget = Omit<BudgetRecord, 'createdAt'>

/** A budget of a tenant, by default two workflow runs a month. */
export function budgetOf({ organizationId }: Tenant, changes: Partial<NewBudget> = {}): NewBudget {
  return {
    id: randomUUID(),
    organizationId,
    projectId: null,
    metric: 'workflow_runs',
    limitMicros: 2_000_000,
    period: 'month',
    ...changes,
  }
}

/** Writes and reads of budget tests. */
export function budgetFixture(subject: Subject, client: () => SqlClient) {
  const put = (budget: NewBudget) => subject().transaction(({ write }) => write.budgets.put(budget))
  const used = ({ organizationId, id }: NewBudget) => subject().read.budgets.used(organizationId, id)
  const spend = async (
    db: Database,
    tenant: Tenant,
    changes: Parameters<typeof usage>[0],
    projectId: Tenant['projectA'] | null = null,
  ) => {
    const run = runOn(tenant, sessionOf(tenant, { projectId }))
    const { organizationId } = tenant
    const records = [usage(changes)]
    await db.runs.recordUsage({
      runId: run.runId,
      organizationId,
      projectId,
      userId: 'ana',
      tag: null,
      usage: records,
    })
  }
  const shift = (table: string, column: string, tenant: Tenant, interval: string) =>
    client().execute(
      `update ${table} set ${column} = ${column} - $2::interval where organization_id = $1::uuid`,
      [tenant.organizationId, interval],
    )
  return { put, used, spend, shift }
}
