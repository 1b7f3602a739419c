import { type Checked, DomainError, jsonBytes } from '@troupe/contract'
import { type Graph, MAX_GRAPH_BYTES, megabytes, parseGraph } from '@troupe/graph'

/** The draft of an empty workflow. */
export const EMPTY_GRAPH: Graph = { nodes: [], edges: [] }

/**
 * Parses a draft for storage: a well-formed graph with defaults filled in, even if it cannot be published
 * yet. `prefix` is put before every path.
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
 * @throws DomainError `validation_error` listing every path, below `draft`
 */
export function readDraft(value: unknown): Graph {
  const parsed = parseDraft(value, 'draft')
  if (parsed.ok) return parsed.value
  throw new DomainError('validation_error', 'The draft is not a valid graph.', { errors: parsed.errors })
}

/** Whether two graphs behave the same at run time. Compared as text because models see the order of keys. */
export function isSameGraph(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
