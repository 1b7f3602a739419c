import { newId, OrganizationId, WorkflowId } from '@troupe/contract'
import { type Actor, type Database, openDatabase } from '@troupe/storage'
import { Scheduler } from '../scheduler.ts'

const SYSTEM: Actor = { kind: 'system', id: null, ip: null, requestId: null }
const QUIET = { info: () => {}, warn: () => {}, error: () => {} }
const MINUTE = 60_000

/** Migrates the template of a test's databases. */
export async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 1, replicas: true })
}

/** A workflow with schedules that are all due simultaneously. */
export interface DueWorkflow {
  organizationId: OrganizationId
  workflowId: WorkflowId
}

/** One organization with one published workflow, whose schedules are due at `dueAt`. */
export async function seedDue(
  database: Database,
  { schedules, dueAt, ceiling }: { schedules: number; dueAt: number; ceiling: number },
): Promise<DueWorkflow> {
  const organizationId = newId(OrganizationId)
  const workflowId = newId(WorkflowId)
  await database.transaction(async ({ write }) => {
    await write.organizations.put({
      id: organizationId,
      slug: organizationId,
      name: 'Acme',
      rpm: 1_000,
      concurrentRuns: ceiling,
    })
    const workflow = { id: workflowId, organizationId, projectId: null, slug: null }
    await write.workflows.insert({ ...workflow, name: 'Report', description: null, draft: {} })
    await write.workflows.publish({ ...workflow, graph: {}, resources: [], createdBy: SYSTEM })
    const due = Array.from({ length: schedules }, (_, index) => ({
      nodeId: `n${index}`,
      config: { mode: 'cron', cron: '* * * * *' },
      overlap: 'allow' as const,
      catchUp: 'latest' as const,
      nextFireAt: dueAt,
    }))
    const publish = { publishedAt: dueAt - MINUTE, isNewVersion: true }
    await write.schedules.replace({ organizationId, workflowId }, due, publish)
  })
  return { organizationId, workflowId }
}

/** A scheduler of a separate process, which records its dispatches to the engine. */
export function schedulerOn(database: Database, now: () => number, dispatched: string[]): Scheduler {
  return new Scheduler({
    store: database.schedules,
    deliver: async ({ runId }) => {
      dispatched.push(runId)
    },
    newId: newId,
    now,
    log: QUIET,
  })
}

/** Every run named in the ledger of these workflows. */
export async function runsInLedgers(
  database: Database,
  workflows: readonly DueWorkflow[],
): Promise<string[]> {
  const ledgers = await Promise.all(
    workflows.map(({ organizationId, workflowId }) =>
      database.read.schedules.fires(organizationId, workflowId, 100_000),
    ),
  )
  return ledgers.flat().flatMap(({ executionId }) => executionId ?? [])
}
