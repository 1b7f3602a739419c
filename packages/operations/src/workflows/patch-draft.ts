import { type Checked, DomainError, type FieldError, jsonBytes } from '@troupe/contract'
import {
  type Graph,
  MAX_EDGES,
  MAX_GRAPH_BYTES,
  MAX_NODES,
  megabytes,
  parseEdge,
  parseNode,
} from '@troupe/graph'
import { PatchedParts } from './patched-parts.ts'

/** One change of a draft: exactly one of the four. */
export interface DraftChange {
  put?: { node?: object; edge?: object; before?: string }
  remove?: { nodeId?: string; edgeId?: string }
}

/**
 * A draft with its changes. A node or an edge that is there keeps its place; a new one comes before the one that it names,
 * else last.
 *
 * @throws DomainError `validation_error` with every path, below `changes`
 */
export function patchDraft(draft: Graph, changes: readonly DraftChange[]): Graph {
  const [nodes, edges] = [new PatchedParts(draft.nodes), new PatchedParts(draft.edges)]
  const errors: FieldError[] = []
  const checked = <T>(result: Checked<T>, use: (value: T) => void) => {
    if (result.ok) use(result.value)
    else errors.push(...result.errors)
  }
  changes.forEach(({ put = {}, remove = {} }, index) => {
    const given = [put.node, put.edge, remove.nodeId, remove.edgeId].filter((one) => one !== undefined)
    const path = `changes.${index}`
    if (given.length !== 1) errors.push({ path, message: 'must put or remove exactly one node or edge' })
    else if (put.node) {
      checked(parseNode(put.node, `${path}.put.node`), (node) => nodes.put(node, put.before))
    } else if (put.edge) {
      checked(parseEdge(put.edge, `${path}.put.edge`), (edge) => edges.put(edge, put.before))
    } else if (remove.nodeId !== undefined) nodes.remove(remove.nodeId)
    else if (remove.edgeId !== undefined) edges.remove(remove.edgeId)
  })
  const patched = { ...draft, nodes: nodes.list(), edges: edges.list() }
  const fault = sizeFault(patched)
  if (fault !== null) errors.push({ path: 'changes', message: fault })
  if (errors.length === 0) return patched
  throw new DomainError('validation_error', 'The changes do not make a valid graph.', { errors })
}

function sizeFault(graph: Graph): string | null {
  if (graph.nodes.length > MAX_NODES) return `make more than ${MAX_NODES} nodes`
  if (graph.edges.length > MAX_EDGES) return `make more than ${MAX_EDGES} edges`
  const bytes = jsonBytes(graph)
  return bytes > MAX_GRAPH_BYTES ? `make ${megabytes(bytes)}, more than ${megabytes(MAX_GRAPH_BYTES)}` : null
}
