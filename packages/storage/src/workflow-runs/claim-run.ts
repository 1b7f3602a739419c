import {
  type ApiKeyId,
  checkedId,
  type OrganizationId,
  type ProjectId,
  type UserId,
  type WorkflowId,
  WorkflowRunId,
  type WorkflowVersionId,
} from '@troupe/contract'
import type {
  ClaimedWorkflowRun,
  StoredIteration,
  StoredNodeRun,
  TestOfWorkflowRun,
  WorkflowFence,
  WorkflowRunSource,
  WorkflowRunStore,
} from '@troupe/workflows/ports'
import { claimStatement, firstClaimStatement } from '../durable-work/claim.ts'
import { json, notNull, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'
import { nodeRunList } from './node-rows.ts'
import { WORKFLOW_RUN_TABLE } from './run-table.ts'
import { readSeeds, type StoredScope, termsOf } from './seeds.ts'

/** The columns that a claim of a workflow's run returns. */
const CLAIMED_ROW = {
  organization_id: uuid<OrganizationId>(),
  project_id: nullable(uuid<ProjectId>()),
  workflow_id: uuid<WorkflowId>(),
  version_id: uuid<WorkflowVersionId>(),
  source: text<WorkflowRunSource>(),
  fired_node_id: nullable(text()),
  input: json<unknown>(),
  variables: json<Record<string, unknown>>(),
  api_key_id: nullable(uuid<ApiKeyId>()),
  waiter: nullable(text()),
  created_at: timestamp(),
  started_at: notNull(timestamp()),
  slice: number(),
  /** null for a run that is not a test. */
  scope: nullable(json<StoredScope>()),
  tester_id: nullable(uuid<UserId>()),
}

const CLAIM_QUEUED = firstClaimStatement(WORKFLOW_RUN_TABLE).returning(CLAIMED_ROW)
const CLAIM_AGAIN = claimStatement(WORKFLOW_RUN_TABLE).returning(CLAIMED_ROW)

/** A later answer to a review is not lost: it sets the mark again. */
const RELOAD = statement<'runId' | 'slice' | 'workerId'>(
  'reload_workflow_run',
  (p) => `
update workflow_runs t set wake = false
where t.id = ${p.runId}::uuid and t.slice = ${p.slice}::int and t.worker_id = ${p.workerId}
  and t.status in ('running', 'paused')
returning ${WORKFLOW_RUN_TABLE.claim.returned}`,
).returning(CLAIMED_ROW)

/** The frames that have not ended: the root, and the current iteration of each open Loop. */
const livePaths = (run: string) => `
  select '' as path
  union
  select concat(nullif(n.path, '') || '/', n.node_id, '[', (
    select count(*) from workflow_iterations i where i.run_id = n.run_id and i.path = n.path and i.node_id = n.node_id), ']')
  from workflow_node_runs n where n.run_id = ${run}::uuid and n.status = 'running'`

/**
 * The state from earlier turns, as far as a turn needs it. A separate statement after the claim, with a newer
 * snapshot: a worker that was presumed lost may have committed while the claim waited for the row. Every
 * commit locks the row and checks the fence, so after the claim no earlier worker can add anything.
 *
 * An iteration is stored together with the end of its last node, and iterations are sequential: the current
 * one of a running Loop follows the stored ones.
 */
const READ_TRACE = statement<'runId'>(
  'read_workflow_trace',
  (p) => `
with live as materialized (${livePaths(p.runId)})
select
  (select ${nodeRunList({ input: "case when n.status in ('running', 'waiting') then n.input end", output: 'n.output' })}
    from live join workflow_node_runs n on n.run_id = ${p.runId}::uuid and n.path = live.path) as node_runs,
  (select json_agg(json_build_object('path', i.path, 'nodeId', i.node_id, 'index', i.idx, 'output', i.output)
    order by i.path, i.node_id, i.idx)
    from live join workflow_iterations i on i.run_id = ${p.runId}::uuid and i.path = live.path) as iterations,
  (select coalesce(max(seq), 0) from workflow_node_runs where run_id = ${p.runId}::uuid) as last_seq,
  (select coalesce(sum(octet_length(output::text)), 0) from workflow_node_runs where run_id = ${p.runId}::uuid)
  + (select coalesce(sum(octet_length(output::text)), 0) from workflow_iterations where run_id = ${p.runId}::uuid) as stored_bytes`,
).returning({
  node_runs: nullable(json<StoredNodeRun[]>()),
  iterations: nullable(json<StoredIteration[]>()),
  last_seq: number(),
  stored_bytes: number(),
})

type Row = RowOf<typeof RELOAD>

type Trace = RowOf<typeof READ_TRACE>

function toClaimed(
  row: Row,
  fence: WorkflowFence,
  { trace, test }: { trace: Trace | null; test: TestOfWorkflowRun | null },
): ClaimedWorkflowRun {
  return {
    fence: { ...fence, slice: row.slice },
    organizationId: row.organization_id,
    projectId: row.project_id,
    workflowId: row.workflow_id,
    versionId: row.version_id,
    source: row.source,
    firedNodeId: row.fired_node_id,
    input: row.input,
    variables: row.variables,
    apiKeyId: row.api_key_id,
    waiter: row.waiter,
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at.getTime(),
    nodeRuns: trace?.node_runs ?? [],
    iterations: trace?.iterations ?? [],
    lastSeq: trace?.last_seq ?? 0,
    storedBytes: trace?.stored_bytes ?? 0,
    test,
  }
}

/** The stored state of a run, as its next turn needs it. */
export async function readTrace(client: SqlClient, runId: WorkflowRunId): Promise<Trace | null> {
  const [trace] = await client.query(...READ_TRACE({ runId }))
  return trace ?? null
}

/** The properties of a test. Only tests cost a statement: the scope of every other run is null. */
async function testOf(
  client: SqlClient,
  row: Row,
  { runId }: WorkflowFence,
): Promise<TestOfWorkflowRun | null> {
  if (row.scope === null) return null
  return { ...termsOf(row.scope), seeds: await readSeeds(client, runId), testerId: row.tester_id }
}

async function withTrace(client: SqlClient, row: Row, fence: WorkflowFence): Promise<ClaimedWorkflowRun> {
  const test = await testOf(client, row, fence)
  return toClaimed(row, fence, { trace: await readTrace(client, fence.runId), test })
}

export function claimRun(client: SqlClient): WorkflowRunStore['claim'] {
  return async ({ runId: id, slice }, workerId, leaseSeconds) => {
    const runId = checkedId(WorkflowRunId, id)
    const fence = { runId, workerId, slice }
    const values = { runId, workerId, leaseSeconds, slice }
    if (slice === 0) {
      const [fresh] = await client.query(...CLAIM_QUEUED(values))
      if (fresh) return toClaimed(fresh, fence, { trace: null, test: await testOf(client, fresh, fence) })
    }
    const [row] = await client.query(...CLAIM_AGAIN(values))
    return row ? withTrace(client, row, fence) : null
  }
}

export function reloadRun(client: SqlClient): WorkflowRunStore['reload'] {
  return async (fence) => {
    const [row] = await client.query(...RELOAD({ ...fence }))
    return row ? withTrace(client, row, fence) : null
  }
}
