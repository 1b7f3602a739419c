import type { WorkflowVersionId } from '@troupe/contract'
import { json, nullable, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableJson, storableText } from '../../sql/client/storable.ts'
import type { Observation } from '../port/observation.ts'
import type {
  NodeOutput,
  ObservedNode,
  ObservedNodes,
  ObservedNodeValues,
  TracedTest,
} from '../port/run-trace.ts'
import { millis } from './summary.ts'

const COLUMNS = `'path', n.path, 'nodeId', n.node_id, 'status', n.status,
  'attempt', n.attempt, 'retry', n.retry, 'retryAt', ${millis('n.retry_at')}, 'handles', n.handles, 'error', n.error,
  'agentRunId', n.agent_run_id, 'inputTokens', n.input_tokens, 'outputTokens', n.output_tokens, 'seq', n.seq,
  'startedAt', ${millis('n.started_at')}, 'completedAt', ${millis('n.completed_at')}`

/** The origin of the result of the seeded node run `n`; of two seeds, the one of its frame. */
const SEED = `case when n.seeded then (
    select json_build_object('origin', s.origin, 'fromRunId', s.from_run_id) from workflow_run_seeds s
    where s.run_id = n.run_id and s.node_id = n.node_id and (s.path is null or s.path = n.path)
    order by s.path nulls last limit 1
  ) end`

/** The node run `n` as JSON; only few have a note or a seed. */
const nodeWith = (columns: string) =>
  `case when n.note is null and not n.seeded then json_build_object(${columns})
    else json_build_object(${columns}, 'note', n.note, 'seed', ${SEED}) end`

/** The node runs `n` without values, as a JSON list in the order of the trace; null if there are none. */
export const NODE_LIST = `json_agg(${nodeWith(COLUMNS)} order by n.seq, n.path, n.node_id)`

/** The output of the node run `n`; that of a Loop with iterations combines their outputs. */
const OUTPUT = `case when n.output is null and n.status = 'completed' then (
    select json_agg(i.output order by i.idx) from workflow_iterations i
    where i.run_id = n.run_id and i.path = n.path and i.node_id = n.node_id
  ) else n.output end`

type PageParameter =
  | 'organizationId'
  | 'runId'
  | 'path'
  | 'status'
  | 'isAfter'
  | 'seq'
  | 'afterPath'
  | 'nodeId'
  | 'limit'

const PAGE_NODES = statement<PageParameter>(
  'page_observed_nodes',
  (p) => `
select w.version_id as "versionId", w.input, w.scope as test, (
  select ${NODE_LIST} from (
    select * from workflow_node_runs all_nodes
    where all_nodes.run_id = w.id and (${p.path}::text is null or all_nodes.path = ${p.path})
      and (${p.status}::text is null or all_nodes.status = ${p.status})
      and (not ${p.isAfter}::boolean
        or (all_nodes.seq, all_nodes.path, all_nodes.node_id) > (${p.seq}::int, ${p.afterPath}::text, ${p.nodeId}::text))
    order by seq, path, node_id limit ${p.limit}::int
  ) n
) as rows
from workflow_runs w where w.id = ${p.runId}::uuid and w.organization_id = ${p.organizationId}::uuid`,
).returning({
  versionId: uuid<WorkflowVersionId>(),
  input: json<unknown>(),
  test: nullable(json<TracedTest>()),
  rows: nullable(json<ObservedNode[]>()),
})

const FIND_NODE = statement<'organizationId' | 'runId' | 'path' | 'nodeId'>(
  'find_observed_node',
  (p) => `
select w.version_id as "versionId", w.input as "runInput", w.scope as test,
  ${nodeWith(`${COLUMNS}, 'input', n.input, 'output', ${OUTPUT}`)} as node
from workflow_runs w
join workflow_node_runs n on n.run_id = w.id and n.path = ${p.path} and n.node_id = ${p.nodeId}
where w.id = ${p.runId}::uuid and w.organization_id = ${p.organizationId}::uuid`,
).returning({
  versionId: uuid<ObservedNodes['versionId']>(),
  runInput: json<unknown>(),
  test: nullable(json<TracedTest>()),
  node: json<ObservedNodeValues>(),
})

/** For larger outputs, only the size is read. */
const MOST_OUTPUT_BYTES = 32 * 1024

const NODE_OUTPUTS = statement<'organizationId' | 'runId' | 'path' | 'nodeIds'>(
  'observed_node_outputs',
  (p) => `
select w.version_id as "versionId", w.input, w.scope as test, (
  select json_agg(json_build_object('nodeId', n.node_id, 'bytes', octet_length(n.output::text),
    'output', case when octet_length(n.output::text) <= ${MOST_OUTPUT_BYTES} then n.output end) order by n.seq, n.node_id)
  from workflow_node_runs n
  where n.run_id = w.id and n.path = ${p.path} and n.node_id in (select json_array_elements_text(${p.nodeIds}::json))
) as rows
from workflow_runs w where w.id = ${p.runId}::uuid and w.organization_id = ${p.organizationId}::uuid`,
).returning({
  versionId: uuid<WorkflowVersionId>(),
  input: json<unknown>(),
  test: nullable(json<TracedTest>()),
  rows: nullable(json<NodeOutput[]>()),
})

export function observedNodeOutputs(client: SqlClient): Observation['nodeOutputs'] {
  return async (organizationId, runId, { path, nodeIds }) => {
    const places = { path: storableText(path), nodeIds: storableJson(nodeIds) }
    const [row] = await client.query(...NODE_OUTPUTS({ organizationId, runId, ...places }))
    return row ? { ...row, rows: row.rows ?? [] } : null
  }
}

export function pageObservedNodes(client: SqlClient): Observation['nodes'] {
  return async (organizationId, runId, { path, status, after, limit }) => {
    const place = { seq: after?.seq ?? 0, afterPath: after?.path ?? '', nodeId: after?.nodeId ?? '' }
    const values = {
      organizationId,
      runId,
      path: path && storableText(path),
      status,
      isAfter: after !== null,
      ...place,
    }
    const [row] = await client.query(...PAGE_NODES({ ...values, limit: limit + 1 }))
    if (!row) return null
    const rows = (row.rows ?? []).slice(0, limit)
    const last = rows.at(-1)
    const hasMore = (row.rows?.length ?? 0) > limit && last
    return { ...row, rows, next: hasMore ? { seq: last.seq, path: last.path, nodeId: last.nodeId } : null }
  }
}

export function findObservedNode(client: SqlClient): Observation['node'] {
  return async (organizationId, runId, { path, nodeId }) => {
    const place = { path: storableText(path), nodeId: storableText(nodeId) }
    const [row] = await client.query(...FIND_NODE({ organizationId, runId, ...place }))
    return row ?? null
  }
}
