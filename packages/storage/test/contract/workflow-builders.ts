import { newId, WorkflowId, WorkflowRunId, WorkflowVersionId } from '@troupe/contract'
import type {
  ClaimedWorkflowRun,
  CommitOutcome,
  NewWorkflowRun,
  StoredNodeRun,
  WorkflowCommit,
  WorkflowRunRecord,
} from '@troupe/workflows/ports'
import type { Database } from '../../src/database.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import type { NewWorkflow } from '../../src/workflows/port.ts'
import { createTenant, SYSTEM, type Tenant } from './tenant.ts'

export const newWorkflowId = () => newId(WorkflowId)
export const newWorkflowRunId = () => newId(WorkflowRunId)
export const newWorkflowVersionId = () => newId(WorkflowVersionId)

/** Longer than any test, for timeouts that must not occur in it. */
export const PATIENT = { dispatchSeconds: 3_600, queueSeconds: 3_600, redeliverSeconds: 60 }

export const GRAPH = { nodes: [{ id: 'start', type: 'manual-trigger' }], edges: [] }

export function workflowOf(
  { organizationId }: Pick<Tenant, 'organizationId'>,
  changes: Partial<NewWorkflow> = {},
): NewWorkflow {
  return {
    id: newWorkflowId(),
    organizationId,
    projectId: null,
    slug: null,
    name: 'Refunds',
    description: null,
    draft: GRAPH,
    ...changes,
  }
}

/** A tenant with a published workflow. */
export interface Publisher {
  tenant: Tenant
  workflow: NewWorkflow
  versionId: WorkflowVersionId
}

export async function publisher(
  db: Database,
  { ceiling = 20, ...changes }: Partial<NewWorkflow> & { ceiling?: number } = {},
): Promise<Publisher> {
  const tenant = await createTenant(db)
  await setCeiling(db, tenant, ceiling)
  return publishedBy(db, tenant, changes)
}

/** An additional published workflow of a tenant. */
export async function publishedBy(
  db: Database,
  tenant: Tenant,
  changes: Partial<NewWorkflow> = {},
): Promise<Publisher> {
  const workflow = workflowOf(tenant, changes)
  const { activeDeployment } = await db.transaction(async ({ write }) => {
    await write.workflows.insert(workflow)
    return write.workflows.publish({ ...workflow, graph: GRAPH, resources: [], createdBy: SYSTEM })
  })
  if (!activeDeployment) throw new Error('not published')
  return { tenant, workflow, versionId: activeDeployment.versionId }
}

export async function setCeiling(db: Database, { organizationId }: Tenant, ceiling: number): Promise<void> {
  await db.transaction(async ({ write }) => {
    const organization = await write.organizations.lock(organizationId)
    if (organization) await write.organizations.put({ ...organization, concurrentRuns: ceiling })
  })
}

export function startOf(
  { tenant, workflow }: Pick<Publisher, 'tenant' | 'workflow'>,
  changes: Partial<NewWorkflowRun> = {},
): NewWorkflowRun {
  return {
    runId: newWorkflowRunId(),
    scope: tenant.scope,
    workflowId: workflow.id,
    versionId: null,
    source: 'api_async',
    firedNodeId: null,
    scheduledFor: null,
    input: { orderId: 'A-1' },
    apiKeyId: tenant.apiKeyId,
    startedByUserId: null,
    waiter: null,
    claim: null,
    idempotency: null,
    createdAt: Date.now(),
    ...changes,
  }
}

/** An accepted run. */
export async function accepted(
  db: Database,
  from: Publisher,
  changes: Partial<NewWorkflowRun> = {},
): Promise<NewWorkflowRun> {
  const run = startOf(from, changes)
  const outcome = await db.workflowRuns.accept(run)
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome))
  return run
}

/** The run, claimed by this worker. A lease of -1 seconds has already expired, like that of a lost worker. */
export async function claimed(
  db: Database,
  { runId }: { runId: WorkflowRunId },
  { workerId = 'w', slice = 0, leaseSeconds = 30 } = {},
): Promise<ClaimedWorkflowRun> {
  const run = await db.workflowRuns.claim({ runId, slice }, workerId, leaseSeconds)
  if (!run) throw new Error('not claimed')
  return run
}

export function nodeRun(nodeId: string, changes: Partial<StoredNodeRun> = {}): StoredNodeRun {
  return {
    path: '',
    nodeId,
    status: 'completed',
    attempt: 1,
    retry: 0,
    retryAt: null,
    handles: ['out'],
    input: null,
    output: null,
    error: null,
    agentRunId: null,
    inputTokens: 0,
    outputTokens: 0,
    seq: 1,
    seeded: false,
    startedAt: 1_800_000_000_010,
    completedAt: 1_800_000_000_020,
    ...changes,
  }
}

/** A started node that has not ended. */
export function runningNode(nodeId: string, changes: Partial<StoredNodeRun> = {}): StoredNodeRun {
  return nodeRun(nodeId, { status: 'running', handles: null, completedAt: null, ...changes })
}

export const RUNNING = { status: 'running' } as const
export const DONE = { status: 'completed', output: { ok: true }, error: null } as const
export const WAITING = {
  status: 'awaiting_approval',
  statusReason: 'waiting for 1 review: "Approve"',
} as const
export const yielded = () => ({ status: 'yielded', dueAt: Date.now() }) as const

/** A commit of the worker that owns the run. */
export function commit(
  db: Database,
  run: Pick<ClaimedWorkflowRun, 'fence' | 'organizationId'> & Partial<Pick<ClaimedWorkflowRun, 'waiter'>>,
  to: WorkflowCommit['to'],
  rows: Partial<Pick<WorkflowCommit, 'variables' | 'nodeRuns' | 'starting' | 'iterations'>> = {},
): Promise<CommitOutcome> {
  const { fence, organizationId, waiter = null } = run
  return db.workflowRuns.commit({
    fence,
    organizationId,
    waiter,
    to,
    variables: null,
    nodeRuns: [],
    iterations: [],
    ...rows,
  })
}

/** The run as the API returns it. */
export async function recordOf(
  db: Database,
  { tenant }: Pick<Publisher, 'tenant'>,
  { runId }: { runId: WorkflowRunId },
): Promise<WorkflowRunRecord> {
  const record = await db.workflowRuns.find(tenant.scope, runId)
  if (!record) throw new Error('not found')
  return record
}

/** The columns of the row that no reader returns. */
export async function rowOf(client: SqlClient, { runId }: { runId: WorkflowRunId }) {
  const [row] = await client.query<Record<string, unknown>>(
    { name: 'inspect_workflow_run', text: 'select * from workflow_runs where id = $1::uuid' },
    [runId],
  )
  return row
}

/** One sweep; returns the due slice of this run, or null. */
export async function sweptSlice(
  db: Database,
  { runId }: { runId: WorkflowRunId },
  patience: Partial<typeof PATIENT> = {},
): Promise<number | null> {
  const deliveries = await db.workflowRuns.sweep({ ...PATIENT, ...patience })
  return deliveries.find((one) => one.runId === runId)?.slice ?? null
}

/** Moves the timestamps of one row back by seconds. */
export async function earlier(
  client: SqlClient,
  { runId }: { runId: WorkflowRunId },
  seconds: number,
): Promise<void> {
  const moments = ['created_at', 'dispatch_due_at', 'dispatched_at', 'lease_until', 'completed_at']
  const moved = moments.map((name) => `${name} = ${name} - make_interval(secs => $2::int)`)
  const text = `update workflow_runs set ${moved.join(', ')} where id = $1::uuid`
  await client.query({ name: 'turn_the_clock_of_a_workflow_run', text }, [runId, seconds])
}
