import type { Scope } from '@troupe/agents/ports'
import { type Budget, BudgetId, type NewId, type SetBudgetBody } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { Actor, Database } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedBudget } from './audited-budget.ts'
import { limitMicros } from './micros.ts'
import { presentBudget } from './present-budget.ts'

/** Dependencies of the operation. */
export interface SetBudgetParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
  newId: NewId
  /** Sends a delivery of a workflow run to the engine without waiting for it. */
  send: (delivery: Delivery) => void
}

/**
 * Creates or changes the single budget of a metric at a level; this month's earlier usage counts. A project scope sets
 * its project's budgets. Runs that waited for a raised limit continue.
 *
 * @throws DomainError `project_not_found`
 */
export async function setBudget(
  { database, configChanges, newId, send }: SetBudgetParts,
  scope: Scope,
  actor: Actor,
  body: SetBudgetBody,
): Promise<Budget> {
  const { organizationId } = scope
  const projectId = requestedProject(scope, body.projectId)
  const { metric } = body
  const { budget, deliveries } = await database.transaction(async ({ read, write, workflowRuns }) => {
    // Two concurrent creations result in one budget.
    await write.organizations.lock(organizationId)
    await requireProject(read, organizationId, projectId)
    const stored = await read.budgets.list(organizationId)
    const before = stored.find((one) => one.metric === metric && one.projectId === projectId) ?? null
    const after = {
      id: before?.id ?? newId(BudgetId),
      organizationId,
      projectId,
      metric,
      limitMicros: limitMicros(body.limit),
      period: 'month' as const,
    }
    const isChanged = before?.limitMicros !== after.limitMicros
    if (isChanged) {
      await write.budgets.put(after)
      await write.audit.append({
        organizationId,
        projectId,
        actor,
        action: before ? 'budget.updated' : 'budget.created',
        entityKind: 'budget',
        entityId: after.id,
        before: before && auditedBudget(before),
        after: auditedBudget(after),
      })
    }
    return {
      budget: presentBudget(after, (await read.budgets.used(organizationId, after.id)) ?? 0),
      deliveries: isChanged ? await workflowRuns.resumeWithinBudget(organizationId) : [],
    }
  })
  configChanges.committed(organizationId)
  // After the commit: a turn that started earlier would find its run paused.
  deliveries.forEach(send)
  return budget
}
