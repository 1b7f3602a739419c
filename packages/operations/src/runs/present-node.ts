import type { TracedNode } from '@troupe/contract/builder'
import type { CompiledGraph } from '@troupe/graph'
import type { ObservedNode } from '@troupe/storage'
import { type TraceSecrets, traceValue } from '@troupe/workflows'

/** A node of a run with its name in the version that ran. */
export function presentNode(
  { nodeId, path, seq, status, attempt, handles, error, agentRunId, ...row }: ObservedNode,
  graph: CompiledGraph | null,
  secrets: TraceSecrets,
): TracedNode {
  const node = graph?.nodes.get(nodeId)
  return {
    nodeId,
    name: node?.name ?? nodeId,
    type: node?.type ?? '',
    path,
    seq,
    status,
    attempts: attempt,
    handles: handles && [...handles],
    error: error === null ? null : String(traceValue(error, secrets)),
    agentRunId,
    note: row.note ?? null,
    seeded: row.seed ?? null,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    startedMs: row.startedAt,
    completedMs: row.completedAt,
    retryMs: row.retryAt,
  }
}
