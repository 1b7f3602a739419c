import { type Checked, DomainError } from '@troupe/contract'
import { type Graph, jsonBytes, MAX_GRAPH_BYTES, megabytes, parseGraph } from '@troupe/graph'

/** A workflow without anything in it. */
export const EMPTY_GRAPH: Graph = { nodes: [], edges: [] }

/**
 * A draft as it is stored: of the shape of a graph, with everything filled in that may be left out. What keeps it from
 * being published is no reason not to save it. `prefix` is put before every path.
 */
export function parseDraft(value: unknown, prefix: string): Checked<Graph> {
  const parsed = parseGraph(value, prefix)
  if (!parsed.ok) return parsed
  const bytes = jsonBytes(parsed.value)
  if (bytes <= MAX_GRAPH_BYTES) return parsed
  const message = `is ${megabytes(bytes)}, more than ${megabytes(MAX_GRAPH_BYTES)}`
  return { ok: false, errors: [{ path: prefix, message }] }
}

/**
 * Like {@link parseDraft}.
 *
 * @throws DomainError `validation_error` with every place, below `draft`
 */
export function readDraft(value: unknown): Graph {
  const parsed = parseDraft(value, 'draft')
  if (parsed.ok) return parsed.value
  throw new DomainError('validation_error', 'The draft is no graph.', { errors: parsed.errors })
}

/** Whether two graphs are the same to whoever runs them: texts, because models see the order of keys. */
export function isSameGraph(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
