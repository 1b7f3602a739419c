import type { StoredIteration, StoredNodeRun } from '@troupe/workflows/ports'
import { storableJson } from '../sql/client/storable.ts'
import { integer } from '../usage-ledger/usage-rows.ts'

/** Timestamps are seconds since the epoch: PostgreSQL parses a number faster than a date. */
const MOMENTS = new Set(['retry_at', 'started_at', 'completed_at'])
const TYPES = {
  path: 'text',
  node_id: 'text',
  status: 'text',
  attempt: 'int',
  retry: 'int',
  retry_at: 'float8',
  handles: 'text[]',
  input: 'json',
  output: 'json',
  error: 'text',
  agent_run_id: 'uuid',
  note: 'text',
  input_tokens: 'int',
  output_tokens: 'int',
  seq: 'int',
  seeded: 'boolean',
  started_at: 'float8',
  completed_at: 'float8',
} as const

const COLUMNS = Object.keys(TYPES)
const typed = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`)
const given = COLUMNS.map((name) => (MOMENTS.has(name) ? `to_timestamp(g.${name})` : `g.${name}`))
const assigned = COLUMNS.slice(2).map((name) => `${name} = excluded.${name}`)

/**
 * Upserts node runs by node and frame. `run` is a preceding query whose row (id, organization_id) proves that
 * the sender holds the fence; without a row nothing is written. `starts` is a condition on `r`: whether
 * node runs that start an effect are written too.
 */
export function NODE_RUNS(run: string, parameter: string, starts = 'true'): string {
  return `
node_runs as (
  insert into workflow_node_runs (run_id, organization_id, ${COLUMNS.join(', ')})
  select r.id, r.organization_id, ${given.join(', ')}
  from ${run} r, json_to_recordset(${parameter}::json) as g (${typed.join(', ')}, starts boolean)
  where ${starts} or not g.starts
  on conflict (run_id, path, node_id) do update set ${assigned.join(', ')}
)`
}

/** Like {@link NODE_RUNS}, for the outputs of iterations. */
export function ITERATIONS(run: string, parameter: string): string {
  return `
iterations as (
  insert into workflow_iterations (run_id, organization_id, path, node_id, idx, output)
  select r.id, r.organization_id, g.path, g.node_id, g.idx, g.output
  from ${run} r, json_to_recordset(${parameter}::json) as g (path text, node_id text, idx int, output json)
  on conflict (run_id, path, node_id, idx) do update set output = excluded.output
)`
}

/** Keeps the last of several entries with the same key, because a statement may write a row only once. */
function lastOfEach<T>(rows: readonly T[], key: (row: T) => string): T[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()]
}

const seconds = (moment: number | null) => (moment === null ? null : moment / 1000)

/** Node runs as JSON for {@link NODE_RUNS}; those of `starting` start an effect. */
export function nodeRunRows(
  nodeRuns: readonly StoredNodeRun[],
  starting: readonly StoredNodeRun[] = [],
): string {
  const effects = new Set(starting)
  return storableJson(
    lastOfEach([...nodeRuns, ...starting], (node) => `${node.path}\n${node.nodeId}`).map((node) => ({
      starts: effects.has(node),
      path: node.path,
      node_id: node.nodeId,
      status: node.status,
      attempt: node.attempt,
      retry: node.retry,
      retry_at: seconds(node.retryAt),
      handles: node.handles,
      input: node.input,
      output: node.output,
      error: node.error,
      agent_run_id: node.agentRunId,
      note: node.note ?? null,
      input_tokens: integer(node.inputTokens),
      output_tokens: integer(node.outputTokens),
      seq: node.seq,
      seeded: node.seeded ?? false,
      started_at: seconds(node.startedAt),
      completed_at: seconds(node.completedAt),
    })),
  )
}

/** Iterations as JSON for {@link ITERATIONS}. */
export function iterationRows(iterations: readonly StoredIteration[]): string {
  return storableJson(
    lastOfEach(iterations, (one) => `${one.path}\n${one.nodeId}\n${one.index}`).map((one) => ({
      path: one.path,
      node_id: one.nodeId,
      idx: one.index,
      output: one.output,
    })),
  )
}

const millis = (column: string) => `(extract(epoch from n.${column}) * 1000)::bigint`

/**
 * The node runs `n` as a JSON list of {@link StoredNodeRun} in the order of the trace; null without one. `input` and
 * `output` are expressions over `n`.
 */
export function nodeRunList({ input, output }: { input: string; output: string }): string {
  return `json_agg(json_build_object('path', n.path, 'nodeId', n.node_id, 'status', n.status,
  'attempt', n.attempt, 'retry', n.retry, 'retryAt', ${millis('retry_at')}, 'handles', n.handles, 'input', ${input},
  'output', ${output}, 'error', n.error, 'agentRunId', n.agent_run_id, 'inputTokens', n.input_tokens,
  'outputTokens', n.output_tokens, 'seq', n.seq, 'seeded', n.seeded, 'startedAt', ${millis('started_at')},
  'completedAt', ${millis('completed_at')}) order by n.seq, n.path, n.node_id)`
}

/** The output of the node run `n`; for a Loop with iterations, their combined outputs. */
export const OUTPUT_OF_NODE = `case when n.output is null and n.status = 'completed' then (
    select json_agg(i.output order by i.idx) from workflow_iterations i
    where i.run_id = n.run_id and i.path = n.path and i.node_id = n.node_id
  ) else n.output end`
