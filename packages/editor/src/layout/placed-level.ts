import type { GraphNode } from '@troupe/graph'
import type { DraftReader } from '../document/draft-document.ts'
import type { Transaction } from '../document/transaction.ts'
import { GAP_X, GAP_Y, LOOP_HEAD, LOOP_PADDING, STEP_HEIGHT, STEP_WIDTH } from './step-size.ts'

type Position = GraphNode['position']

const keyOf = ({ x, y }: Position) => `${x} ${y}`

/**
 * Whether the steps of one level (the root or the body of a Loop) were placed manually. Steps that were never placed are stored at one
 * position, so a level in which most positions repeat is laid out automatically.
 */
export function isPlaced(positions: readonly Position[]): boolean {
  const [first, second] = positions
  if (first && !second) return first.x !== 0 || first.y !== 0
  const different = new Set(positions.map(keyOf)).size
  return different >= 2 && different * 2 > positions.length
}

/** The steps of a manually placed level that repeat the position of an earlier one: they have not been placed yet. */
export function looseIn(nodes: readonly Pick<GraphNode, 'id' | 'position'>[]): Set<string> {
  const taken = new Set<string>()
  const loose = new Set<string>()
  for (const { id, position } of nodes) {
    const key = keyOf(position)
    if (taken.has(key)) loose.add(id)
    taken.add(key)
  }
  return loose
}

/** The stored position of a new step: below another one, or, in an automatically laid-out level, the shared position. */
export function positionBelow(reader: DraftReader, parentId: string | null, after: GraphNode): Position {
  const level = reader.childrenOf(parentId)
  const [first] = level
  if (!first) return { x: 0, y: 0 }
  if (!isPlaced(level.map(({ position }) => position))) return first.position
  const isBeside = after.parentId === parentId
  const start = isBeside
    ? { x: after.position.x, y: after.position.y + sizeIn(reader, after).height + GAP_Y }
    : { x: first.position.x, y: first.position.y }
  return freePosition(reader, parentId, start)
}

/** The stored position of a dropped step: the drop point, or, in an automatically laid-out level, the shared position. */
export function positionAt(reader: DraftReader, parentId: string | null, wanted: Position): Position {
  const level = reader.childrenOf(parentId)
  const [first] = level
  if (!first) return wanted
  return isPlaced(level.map(({ position }) => position))
    ? freePosition(reader, parentId, wanted)
    : first.position
}

/** The nearest position to the right of a point at which a step overlaps no other one. */
export function freePosition(reader: DraftReader, parentId: string | null, start: Position): Position {
  const rects = reader.childrenOf(parentId).map((node) => ({ ...node.position, ...sizeIn(reader, node) }))
  const inRow = rects
    .filter(({ y, height }) => y < start.y + STEP_HEIGHT && start.y < y + height)
    .toSorted((one, other) => one.x - other.x)
  let { x } = start
  for (const { x: left, width } of inRow) {
    if (left < x + STEP_WIDTH && x < left + width) x = left + width + GAP_X
  }
  return { x, y: start.y }
}

/** The top left corner of the free area beside all steps of a level. */
export function besideAll(reader: DraftReader, parentId: string | null): Position {
  const corner = { x: 0, y: Number.POSITIVE_INFINITY }
  for (const node of reader.childrenOf(parentId)) {
    corner.x = Math.max(corner.x, node.position.x + sizeIn(reader, node).width + 2 * GAP_X)
    corner.y = Math.min(corner.y, node.position.y)
  }
  return Number.isFinite(corner.y) ? corner : { x: 0, y: 0 }
}

/** The stored size of a step; a Loop is as large as its placed content. */
export function sizeIn(reader: DraftReader, { id }: GraphNode): { width: number; height: number } {
  const size = { width: STEP_WIDTH, height: STEP_HEIGHT }
  const body = reader.childrenOf(id)
  if (body.length === 0) return size
  // An automatically laid-out body is about one column.
  if (!isPlaced(body.map(({ position }) => position))) {
    const column = body.length * (STEP_HEIGHT + GAP_Y) - GAP_Y
    return { width: STEP_WIDTH + 2 * LOOP_PADDING, height: LOOP_HEAD + column + 2 * LOOP_PADDING }
  }
  for (const { position } of body) {
    size.width = Math.max(size.width, position.x + STEP_WIDTH + LOOP_PADDING)
    size.height = Math.max(size.height, position.y + STEP_HEIGHT + LOOP_PADDING)
  }
  return size
}

/** Moves the followers of a step in a placed level down, to make room for one more step above them. */
export function makeRoom(tx: Transaction, parentId: string | null, firsts: readonly string[]): void {
  const level = tx.childrenOf(parentId)
  if (!isPlaced(level.map(({ position }) => position))) return
  const later = new Set(firsts)
  // A Set that grows while it is read.
  for (const id of later) for (const { target } of tx.edgesFrom(id)) later.add(target)
  for (const node of level) {
    if (!later.has(node.id)) continue
    const { x, y } = node.position
    tx.putNode({ ...node, position: { x, y: y + STEP_HEIGHT + GAP_Y } })
  }
}
