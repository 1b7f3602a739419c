import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowNodeRun, WorkflowRunId } from '@troupe/contract'
import type { CompiledGraph } from '@troupe/graph'
import { type TraceSecrets, traceSecretsOf, traceValue } from '@troupe/workflows'
import type { StoredNodeRun, WorkflowRunStore } from '@troupe/workflows/ports'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { workflowJobIdOf, workflowJobNotFound } from './find-workflow-job.ts'
import { seconds } from './seconds.ts'

function presentNode(
  row: StoredNodeRun,
  graph: CompiledGraph | null,
  secrets: TraceSecrets,
): WorkflowNodeRun {
  const node = graph?.nodes.get(row.nodeId)
  return {
    nodeId: row.nodeId,
    name: node?.name ?? row.nodeId,
    type: node?.type ?? '',
    path: row.path,
    status: row.status,
    attempts: row.attempt,
    startedAt: seconds(row.startedAt),
    completedAt: seconds(row.completedAt),
    error: row.error === null ? null : String(traceValue(row.error, secrets)),
    output: traceValue(row.output ?? null, secrets),
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
  }
}

/**
 * One page of the run's node results, in order. Outputs are shown up to 64 K characters each, without
 * secrets.
 *
 * @throws DomainError `job_not_found`.
 */
export async function listWorkflowJobNodes(
  { store, graphs }: { store: Pick<WorkflowRunStore, 'nodes'>; graphs: Pick<WorkflowGraphs, 'compiled'> },
  scope: Scope,
  jobId: IdText<WorkflowRunId>,
  { page, limit }: { page: number; limit: number },
): Promise<{ data: WorkflowNodeRun[]; total: number; page: number; limit: number }> {
  const found = await store.nodes(scope, workflowJobIdOf(jobId), { page, limit })
  if (!found) throw workflowJobNotFound()
  const graph = await graphs.compiled(scope.organizationId, found.versionId)
  const secrets = traceSecretsOf(graph, found.input)
  return { data: found.rows.map((row) => presentNode(row, graph, secrets)), total: found.total, page, limit }
}
