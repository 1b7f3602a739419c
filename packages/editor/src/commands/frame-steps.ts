import type { GraphEdge, GraphNode } from '@troupe/graph'
import { CommandRefused, type Transaction } from '../document/transaction.ts'
import { positionAt } from '../layout/placed-level.ts'
import { isWithin, putEdgeBetween } from './connect-steps.ts'
import { handlesOf, roleOf } from './step-shape.ts'

const FIRST_IN_BODY = { x: 40, y: 80 }

/**
 * Moves steps into the body of a Loop, or out of it with `parentId` null or the id of an outer Loop. Connections among them are kept; those
 * to steps of the previous frame are removed, and if all handles of the moved steps lead to one step, the path to it is kept. In a Loop with
 * an empty body, the first of them become its start.
 *
 * @param places positions relative to the new frame; other steps are placed where there is room
 */
export function moveToFrame(
  tx: Transaction,
  ids: readonly string[],
  parentId: string | null,
  places: ReadonlyMap<string, GraphNode['position']> = new Map(),
): void {
  const steps = ids.map((id) => tx.requireNode(id)).filter((step) => step.parentId !== parentId)
  if (steps.length === 0) throw new CommandRefused('nothing_to_move')
  const loop = parentId === null ? null : tx.requireNode(parentId)
  if (loop !== null && roleOf(loop) !== 'loop') throw new CommandRefused('not_a_loop')
  if (loop !== null && steps.some((step) => roleOf(step) === 'trigger'))
    throw new CommandRefused('is_trigger')
  if (steps.some(({ id }) => id === parentId || isWithin(tx, parentId, id))) {
    throw new CommandRefused('other_level')
  }
  const moved = new Set(steps.map(({ id }) => id))
  const isBody = ({ source, sourceHandle }: GraphEdge) => sourceHandle === 'body' && moved.has(source)
  const incoming = steps.flatMap(({ id }) => tx.edgesTo(id).filter(({ source }) => !moved.has(source)))
  const outgoing = steps.flatMap(({ id }) =>
    tx.edgesFrom(id).filter((edge) => !moved.has(edge.target) && !isBody(edge)),
  )
  for (const edge of [...incoming, ...outgoing]) tx.removeEdge(edge.id)
  const [next, ...others] = new Set(outgoing.map(({ target }) => target))
  if (next !== undefined && others.length === 0) {
    for (const { source, sourceHandle } of incoming) {
      putEdgeBetween(tx, { source, handle: sourceHandle }, next)
    }
  }
  const isEmpty = loop !== null && tx.childrenOf(loop.id).every((child) => roleOf(child) === 'note')
  for (const step of steps) {
    const position = positionAt(tx, parentId, places.get(step.id) ?? FIRST_IN_BODY)
    tx.putNode({ ...step, parentId, position: places.get(step.id) ?? position })
  }
  if (!isEmpty || loop === null || !handlesOf(loop).includes('body')) return
  for (const step of steps) {
    const isLedTo = tx.edgesTo(step.id).length > 0
    if (!isLedTo && roleOf(step) !== 'note') putEdgeBetween(tx, { source: loop.id, handle: 'body' }, step.id)
  }
}
