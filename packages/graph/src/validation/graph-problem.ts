import type { Severity } from '../model/node-types.ts'

/** Codes of the problems of a graph; node types add their own codes for configs. */
export type ProblemCode =
  | 'schema'
  | 'graph_too_large'
  | 'duplicate_node_id'
  | 'duplicate_node_name'
  | 'blank_node_name'
  | 'duplicate_edge_id'
  | 'duplicate_edge'
  | 'unknown_node_type'
  | 'unknown_parent'
  | 'nested_too_deep'
  | 'trigger_in_body'
  | 'no_trigger'
  | 'too_many_triggers'
  | 'unknown_node'
  | 'unknown_handle'
  | 'edge_into_trigger'
  | 'edge_at_note'
  | 'edge_across_border'
  | 'missing_resource'
  | 'archived_resource'
  | 'draft_resource'
  | 'unlisted_model'
  | 'unreachable_node'
  | 'malformed_token'
  | 'unknown_token_node'
  | 'token_not_before'
  | 'loop_outside_body'
  | 'may_be_skipped'
  | 'disabled_step'
  | 'disabled_trigger'
  | 'not_in_trigger'
  | 'may_be_left_out'
  | 'api_calls_fail'
  | 'webhook_calls_fail'
  | 'parallel_writes'
  | 'scheduled_runs_fail'
  | 'form_starts_nothing'
  | 'empty_while'
  | 'not_fully_checked'

/** One finding. Together `path` and `message` read as a sentence. */
export interface GraphProblem {
  severity: Severity
  /** A `ProblemCode`, or a code of the node type. */
  code: string
  /** Dotted: `nodes.3.config.rows.0.value`. */
  path: string
  message: string
  /** The affected node; null for an edge or the graph. */
  nodeId: string | null
  edgeId: string | null
}

/** Creates the findings of one node, edge or graph. `at` is its path. */
export function finder(at: string, nodeId: string | null = null, edgeId: string | null = null) {
  return (severity: Severity, code: ProblemCode, key: string, message: string): GraphProblem => {
    const path = [at, key].filter((part) => part !== '').join('.')
    return { severity, code, path, message, nodeId, edgeId }
  }
}

/** A node or edge with its path. */
export interface Placed<T> {
  item: T
  path: string
}
