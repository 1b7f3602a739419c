import { type Checked, DomainError, type FieldError } from '@troupe/contract'
import {
  type Graph,
  jsonBytes,
  MAX_EDGES,
  MAX_GRAPH_BYTES,
  MAX_NODES,
  megabytes,
  parseEdge,
  parseNode,
} from '@troupe/graph'

/** One change of a draft: exactly one of the four. */
export interface DraftChange {
  put?: { node?: object; edge?: object }
  remove?: { nodeId?: string; edgeId?: string }
}

/**
 * A draft with its changes. A node or an edge that is there keeps its place; a new one comes last.
 *
 * @throws DomainError `validation_error` with every path, below `changes`
 */
export function patchDraft(draft: Graph, changes: readonly DraftChange[]): Graph {
  const [nodes, edges] = [partsOf(draft.nodes), partsOf(draft.edges)]
  const errors: FieldError[] = []
  const checked = <T>(result: Checked<T>, use: (value: T) => void) => {
    if (result.ok) use(result.value)
    else errors.push(...result.errors)
  }
  changes.forEach(({ put = {}, remove = {} }, index) => {
    const given = [put.node, put.edge, remove.nodeId, remove.edgeId].filter((one) => one !== undefined)
    const path = `changes.${index}`
    if (given.length !== 1) errors.push({ path, message: 'must put or remove exactly one node or edge' })
    else if (put.node) checked(parseNode(put.node, `${path}.put.node`), (node) => nodes.set(node.id, node))
    else if (put.edge) checked(parseEdge(put.edge, `${path}.put.edge`), (edge) => edges.set(edge.id, edge))
    else if (remove.nodeId !== undefined) nodes.delete(remove.nodeId)
    else if (remove.edgeId !== undefined) edges.delete(remove.edgeId)
  })
  const patched = { ...draft, nodes: [...nodes.values()], edges: [...edges.values()] }
  const fault = sizeFault(patched)
  if (fault !== null) errors.push({ path: 'changes', message: fault })
  if (errors.length === 0) return patched
  throw new DomainError('validation_error', 'The changes do not make a valid graph.', { errors })
}

/** By id. A second part with the same id, which no graph may have, is kept until it is repaired. */
function partsOf<T extends { id: string }>(parts: readonly T[]): Map<string, T> {
  const found = new Map<string, T>()
  for (const part of parts) found.set(found.has(part.id) ? `${part.id} ${found.size}` : part.id, part)
  return found
}

function sizeFault(graph: Graph): string | null {
  if (graph.nodes.length > MAX_NODES) return `make more than ${MAX_NODES} nodes`
  if (graph.edges.length > MAX_EDGES) return `make more than ${MAX_EDGES} edges`
  const bytes = jsonBytes(graph)
  return bytes > MAX_GRAPH_BYTES ? `make ${megabytes(bytes)}, more than ${megabytes(MAX_GRAPH_BYTES)}` : null
}
