import type { GraphEdge, GraphNode } from '@troupe/graph'
import type { DraftReader } from '../document/draft-document.ts'
import { CommandRefused, type Refusal, type Transaction } from '../document/transaction.ts'
import { edgeIdOf } from '../ids/step-ids.ts'
import { handlesOf, levelBehind, roleOf, wayOn } from './step-shape.ts'

/** One outgoing handle of a step. */
export interface WayOn {
  source: string
  handle: string
}

/** A step, and the handle behind which another step can be placed. */
export interface StepPlace {
  after: GraphNode
  handles: readonly string[]
}

/** The edge between two steps, whatever its id; null if there is none. */
function edgeBetween(reader: DraftReader, source: string, handle: string, target: string): GraphEdge | null {
  return (
    reader.edgesFrom(source).find((edge) => edge.sourceHandle === handle && edge.target === target) ?? null
  )
}

/** Adds an edge, unless the two steps are already connected through that handle. */
export function putEdgeBetween(tx: Transaction, { source, handle }: WayOn, target: string): void {
  if (edgeBetween(tx, source, handle, target) !== null) return
  const id = edgeIdOf(source, handle, target)
  // An edge with this id may have been redirected by hand.
  const isFree = tx.edge(id) === null
  tx.putEdge({ id: isFree ? id : freeEdgeId(tx, id), source, sourceHandle: handle, target })
}

function freeEdgeId(reader: DraftReader, id: string): string {
  for (let n = 2; ; n += 1) if (reader.edge(`${id}:${n}`) === null) return `${id}:${n}`
}

/** The reason that two steps cannot be connected; null if they can. */
export function connectFault(reader: DraftReader, way: WayOn, target: string): Refusal | null {
  return levelFault(reader, way, target) ?? (reaches(reader, target, way.source) ? 'makes_a_cycle' : null)
}

/** {@link connectFault} without the search for a cycle. */
function levelFault(reader: DraftReader, { source, handle }: WayOn, target: string): Refusal | null {
  const [from, to] = [reader.node(source), reader.node(target)]
  if (from === null || to === null) return 'unknown_step'
  if (!handlesOf(from).includes(handle)) return 'unknown_handle'
  const role = roleOf(to)
  if (role === 'trigger' || role === 'note') return 'no_way_in'
  const level = levelBehind(from, handle)
  const isLoose =
    reader.edgesTo(target).length === 0 && reader.edgesFrom(target).every(isOfBody) && level !== target
  if (to.parentId !== level && !isLoose) return 'other_level'
  return isWithin(reader, level, target) ? 'other_level' : null
}

const isOfBody = ({ sourceHandle }: GraphEdge) => sourceHandle === 'body'

/** Whether a frame is the body of a Loop, or of a Loop inside it. */
export function isWithin(reader: DraftReader, level: string | null, loopId: string): boolean {
  const seen = new Set<string>()
  for (let at = level; at !== null && !seen.has(at); at = reader.node(at)?.parentId ?? null) {
    if (at === loopId) return true
    seen.add(at)
  }
  return false
}

/** Whether a path leads from one step to another. */
export function reaches(reader: DraftReader, from: string, to: string): boolean {
  const found = new Set([from])
  // A Set that grows while it is read.
  for (const id of found) {
    if (id === to) return true
    for (const { target } of reader.edgesFrom(id)) found.add(target)
  }
  return false
}

/** The possible targets of all the given handles, in the order of the draft. */
export function connectTargets(reader: DraftReader, ways: readonly WayOn[]): GraphNode[] {
  const earlier = new Set(ways.map(({ source }) => source))
  // A Set that grows while it is read. One walk for all targets: a walk for each would be quadratic.
  for (const id of earlier) for (const { source } of reader.edgesTo(id)) earlier.add(source)
  return reader
    .nodes()
    .filter(
      ({ id }) =>
        !earlier.has(id) &&
        ways.every((way) => levelFault(reader, way, id) === null) &&
        ways.some(({ source, handle }) => edgeBetween(reader, source, handle, id) === null),
    )
}

/** Connects a handle of a step to another step. A step without connections moves into the frame of the handle. */
export function connect(tx: Transaction, way: WayOn, target: string): void {
  const fault = connectFault(tx, way, target)
  if (fault !== null) throw new CommandRefused(fault)
  const [from, to] = [tx.requireNode(way.source), tx.requireNode(target)]
  const parentId = levelBehind(from, way.handle)
  if (to.parentId !== parentId) tx.putNode({ ...to, parentId })
  putEdgeBetween(tx, way, target)
}

/** Connects several handles to one step, such as the ends of branches. */
export function join(tx: Transaction, ways: readonly WayOn[], target: string): void {
  for (const way of ways) connect(tx, way, target)
}

export function disconnect(tx: Transaction, edgeId: string): void {
  tx.requireEdge(edgeId)
  tx.removeEdge(edgeId)
}

/** Redirects an edge to another step; its source and handle are unchanged. */
export function reconnect(tx: Transaction, edgeId: string, target: string): void {
  const { source, sourceHandle } = tx.requireEdge(edgeId)
  tx.removeEdge(edgeId)
  connect(tx, { source, handle: sourceHandle }, target)
}

/**
 * Connects a step behind a handle of another step. The previous targets of the handle follow the step if it has an unconnected handle; the
 * step moves into the frame of the handle.
 */
export function connectBehind(tx: Transaction, { source, handle }: WayOn, stepId: string): void {
  const [after, step] = [tx.requireNode(source), tx.requireNode(stepId)]
  if (!handlesOf(after).includes(handle)) throw new CommandRefused('unknown_handle')
  if (source === stepId || reaches(tx, stepId, source)) throw new CommandRefused('makes_a_cycle')
  const parentId = levelBehind(after, handle)
  if (step.parentId !== parentId) {
    if (tx.edgesFrom(stepId).some((edge) => !isOfBody(edge)) || isWithin(tx, parentId, stepId)) {
      throw new CommandRefused('other_level')
    }
    tx.putNode({ ...step, parentId })
  }
  const leadsOn = tx.edgesFrom(stepId).some((edge) => !isOfBody(edge))
  // The previous followers of a step do not become the body of a Loop. A step without an outgoing handle cannot be placed before others.
  const out = leadsOn ? null : wayOn(step)
  const followed = out === null ? [] : tx.edgesFrom(source).filter((edge) => edge.sourceHandle === handle)
  for (const { id } of followed) tx.removeEdge(id)
  putEdgeBetween(tx, { source, handle }, stepId)
  for (const { target } of followed) {
    if (out !== null && target !== stepId) putEdgeBetween(tx, { source: stepId, handle: out }, target)
  }
}

/**
 * The places for a step without incoming edges: behind `reached` steps that do not follow it. A step with connections stays in its frame.
 */
export function placesFor(reader: DraftReader, node: GraphNode, reached: readonly GraphNode[]): StepPlace[] {
  const later = new Set([node.id])
  // A Set that grows while it is read.
  for (const id of later) for (const { target } of reader.edgesFrom(id)) later.add(target)
  const isConnected = reader.edgesFrom(node.id).length > 0
  return reached.flatMap((after) => {
    const handles = handlesOf(after).filter(
      (handle) => !isConnected || levelBehind(after, handle) === node.parentId,
    )
    const isInside = isWithin(reader, after.parentId, node.id)
    return later.has(after.id) || isInside || handles.length === 0 ? [] : [{ after, handles }]
  })
}
