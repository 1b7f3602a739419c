import { type Checked, DomainError, type FieldError, MAX_FIELD_ERRORS } from '@troupe/contract'
import {
  type GraphEdge,
  type GraphNode,
  MAX_EDGES,
  MAX_GRAPH_BYTES,
  MAX_NODES,
  megabytes,
  parseEdge,
  parseNode,
} from '@troupe/graph'
import type { DraftTexts } from './draft-texts.ts'
import { type PartDifference, PatchedParts } from './patched-parts.ts'

/** One change of a draft: exactly one of the five. */
export interface DraftChange {
  put?: { node?: object; edge?: object; before?: string; formerId?: string }
  remove?: { nodeId?: string; edgeId?: string }
  expose?: 'mcp' | null
}

/** A part that moves to another place in its list, with the same content. */
interface MovedPart {
  id: string
  /** The id of the preceding part; null: it becomes the first. */
  before: string | null
  after: string | null
}

/** A draft with its changes, and the resulting differences. */
export interface PatchedDraft {
  draft: DraftTexts
  nodes: PartDifference<GraphNode>[]
  edges: PartDifference<GraphEdge>[]
  /** Where the workflow is exposed besides the API; null: unchanged. */
  expose: { before: 'mcp' | null; after: 'mcp' | null } | null
  /** The new ids of steps by their previous ids, which the same changes remove or assign to other steps. */
  newIds: ReadonlyMap<string, string>
  /** The parts that were moved within their list: the id of the part before each of them. */
  moved: { nodes: MovedPart[]; edges: MovedPart[] }
  /** Whether anything differs, even if only the order of parts. */
  isChanged: boolean
}

/**
 * Refuses changes that contain more nodes or edges than a graph may have. It only counts them: parsing 60,000 edges
 * first took 1.8 s.
 *
 * @throws DomainError `validation_error` for `changes`
 */
export function refuseManyPuts(changes: readonly DraftChange[]): void {
  const [nodes, edges] = [
    changes.filter(({ put }) => put?.node !== undefined).length,
    changes.filter(({ put }) => put?.edge !== undefined).length,
  ]
  const faults = [
    ...(nodes > MAX_NODES ? [`must put at most ${MAX_NODES} nodes`] : []),
    ...(edges > MAX_EDGES ? [`must put at most ${MAX_EDGES} edges`] : []),
  ]
  if (faults.length > 0) throw invalidChanges(faults.map((message) => ({ path: 'changes', message })))
}

function invalidChanges(errors: FieldError[]): DomainError {
  return new DomainError('validation_error', 'The changes do not make a valid graph.', { errors })
}

/**
 * Applies changes to a draft. An existing node or edge keeps its place; a new one is inserted before the part that it
 * names, else at the end. Only the parts in the changes are validated, compared, measured and written.
 *
 * @throws DomainError `validation_error` with all paths, below `changes`, up to the maximum number of failures in a
 * response
 */
export function patchDraft(draft: DraftTexts, changes: readonly DraftChange[]): PatchedDraft {
  const [nodes, edges] = [new PatchedParts(draft.nodes), new PatchedParts(draft.edges)]
  const errors: FieldError[] = []
  let { expose } = draft
  const checked = <T>(result: Checked<T>, use: (value: T) => void) => {
    if (result.ok) use(result.value)
    else errors.push(...result.errors)
  }
  for (const [index, change] of changes.entries()) {
    // Describing a failure costs far more than finding none, and a response lists no more than these.
    if (errors.length > MAX_FIELD_ERRORS) throw invalidChanges(errors)
    const { put = {}, remove = {} } = change
    const given = [put.node, put.edge, remove.nodeId, remove.edgeId, change.expose].filter(
      (one) => one !== undefined,
    )
    const path = `changes.${index}`
    if (given.length !== 1) {
      errors.push({ path, message: 'must put or remove exactly one node or edge, or set expose' })
    } else if (put.node) {
      checked(parseNode(put.node, `${path}.put.node`), (node) => nodes.put(node, put.before))
    } else if (put.edge) {
      checked(parseEdge(put.edge, `${path}.put.edge`), (edge) => edges.put(edge, put.before))
    } else if (remove.nodeId !== undefined) nodes.remove(remove.nodeId)
    else if (remove.edgeId !== undefined) edges.remove(remove.edgeId)
    else expose = change.expose ?? null
  }
  const patches = { nodes: nodes.patch(), edges: edges.patch() }
  const patched = draft.patched({ ...patches, expose })
  const fault = sizeFault(patched)
  if (fault !== null) errors.push({ path: 'changes', message: fault })
  if (errors.length > 0) throw invalidChanges(errors)
  const differences = { nodes: nodes.differences(), edges: edges.differences() }
  const isDifferent = differences.nodes.length > 0 || differences.edges.length > 0 || draft.expose !== expose
  // Parts that were removed and put again unchanged may have moved.
  const moved = {
    nodes: movedParts(draft.nodes, patched.nodes, patches.nodes.gone),
    edges: movedParts(draft.edges, patched.edges, patches.edges.gone),
  }
  return {
    draft: patched,
    ...differences,
    expose: draft.expose === expose ? null : { before: draft.expose, after: expose },
    newIds: newIdsOf(changes, differences.nodes),
    moved,
    isChanged: isDifferent || moved.nodes.length > 0 || moved.edges.length > 0,
  }
}

/** The parts that left their place and are back in the list, behind another part than before. */
function movedParts(
  before: { keys(): readonly string[] },
  after: { keys(): readonly string[] },
  gone: ReadonlySet<string>,
): MovedPart[] {
  if (gone.size === 0) return []
  const [old, now] = [predecessors(before.keys()), predecessors(after.keys())]
  return [...gone].flatMap((id) => {
    const [from, to] = [old.get(id), now.get(id)]
    return from === undefined || to === undefined || from === to ? [] : { id, before: from, after: to }
  })
}

function predecessors(keys: readonly string[]): Map<string, string | null> {
  return new Map(keys.map((key, at) => [key, keys[at - 1] ?? null]))
}

/**
 * A step is renamed if a put names its previous id and no step keeps that id: it is removed, or put as another renamed
 * step. So ids can be passed on in a chain, and swapped.
 */
function newIdsOf(
  changes: readonly DraftChange[],
  nodes: readonly PartDifference<GraphNode>[],
): Map<string, string> {
  const different = new Map(nodes.map((node) => [node.id, node]))
  const newIds = new Map<string, string>()
  const taken = new Set<string>()
  for (const { put } of changes) {
    const id = put?.node && 'id' in put.node ? put.node.id : null
    const formerId = put?.formerId
    if (formerId === undefined || typeof id !== 'string' || formerId === id) continue
    if (!different.get(id)?.after || !different.get(formerId)?.before) continue
    // A pin belongs to one step: the first one that claims it.
    if (newIds.has(formerId) || taken.has(id)) continue
    newIds.set(formerId, id)
    taken.add(id)
  }
  // Without recursion, because a chain of renamed steps may be long.
  const kept = [...newIds.keys()].filter((id) => different.get(id)?.after && !taken.has(id))
  for (let id = kept.pop(); id !== undefined; id = kept.pop()) {
    const newId = newIds.get(id)
    if (newId === undefined) continue
    newIds.delete(id)
    if (newIds.has(newId)) kept.push(newId)
  }
  return newIds
}

function sizeFault({ nodes, edges, bytes }: DraftTexts): string | null {
  if (nodes.size > MAX_NODES) return `make more than ${MAX_NODES} nodes`
  if (edges.size > MAX_EDGES) return `make more than ${MAX_EDGES} edges`
  return bytes > MAX_GRAPH_BYTES ? `make ${megabytes(bytes)}, more than ${megabytes(MAX_GRAPH_BYTES)}` : null
}
