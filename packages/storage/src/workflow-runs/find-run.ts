import type { WorkflowId, WorkflowRunId, WorkflowVersionId } from '@troupe/contract'
import type {
  StoredNodeRun,
  WorkflowRunSource,
  WorkflowRunStatus,
  WorkflowRunStore,
} from '@troupe/workflows/ports'
import { json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { nodeRunList, OUTPUT_OF_NODE } from './node-rows.ts'
import { runInScope, type ScopedRunParameter, STATUS_REASON, scopedRun } from './run-rows.ts'

const FIND_RUN = statement<ScopedRunParameter>(
  'find_workflow_run',
  (p) => `
select id as "runId", workflow_id as "workflowId", version_id as "versionId", source, status,
  ${STATUS_REASON} as "statusReason",
  output, error, created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt"
from workflow_runs
where ${runInScope(p)}`,
).returning({
  runId: uuid<WorkflowRunId>(),
  workflowId: uuid<WorkflowId>(),
  versionId: uuid<WorkflowVersionId>(),
  source: text<WorkflowRunSource>(),
  status: text<WorkflowRunStatus>(),
  statusReason: nullable(text()),
  output: nullable(json<unknown>()),
  error: nullable(text()),
  createdAt: timestamp(),
  startedAt: nullable(timestamp()),
  completedAt: nullable(timestamp()),
})

/** Rows are sorted by keys first, so that a page reads only its own texts. */
const FIND_NODES = statement<ScopedRunParameter | 'limit' | 'offset'>(
  'find_workflow_nodes',
  (p) => `
with run as (
  select id, version_id, input from workflow_runs where ${runInScope(p)}
), page as (
  select n.path, n.node_id from run join workflow_node_runs n on n.run_id = run.id
  order by n.seq, n.path, n.node_id limit ${p.limit}::int offset ${p.offset}::bigint
)
select version_id as "versionId", input,
  (select count(*) from workflow_node_runs n where n.run_id = run.id) as total,
  (select ${nodeRunList({ input: 'n.input', output: OUTPUT_OF_NODE })} from page
    join workflow_node_runs n on n.run_id = run.id and n.path = page.path and n.node_id = page.node_id) as rows
from run`,
).returning({
  versionId: uuid<WorkflowVersionId>(),
  input: json<unknown>(),
  total: number(),
  rows: nullable(json<StoredNodeRun[]>()),
})

export function findWorkflowRun(client: SqlClient): WorkflowRunStore['find'] {
  return async (scope, runId) => {
    const [row] = await client.query(...FIND_RUN(scopedRun(scope, runId)))
    if (!row) return null
    const { createdAt, startedAt, completedAt } = row
    return {
      ...row,
      createdAt: createdAt.getTime(),
      startedAt: startedAt?.getTime() ?? null,
      completedAt: completedAt?.getTime() ?? null,
    }
  }
}

export function findNodes(client: SqlClient): WorkflowRunStore['nodes'] {
  return async (scope, runId, { page, limit }) => {
    const [row] = await client.query(
      ...FIND_NODES({ ...scopedRun(scope, runId), limit, offset: (page - 1) * limit }),
    )
    return row ? { ...row, rows: row.rows ?? [] } : null
  }
}
