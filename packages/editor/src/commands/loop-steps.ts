import type { GraphNode } from '@troupe/graph'
import { CommandRefused, type Transaction } from '../document/transaction.ts'
import { freshName, freshStepId } from '../ids/step-ids.ts'
import { putEdgeBetween, reaches } from './connect-steps.ts'
import type { IsRetired, NewStep } from './edit-steps.ts'
import { roleOf, wayOn } from './step-shape.ts'

const BODY_PX = { x: 40, y: 60 }

/**
 * Wraps steps of one frame in a new Loop at their position: their incoming edges lead to the Loop, and their followers follow it.
 *
 * @returns the id of the Loop
 */
export function wrapInLoop(
  tx: Transaction,
  ids: readonly string[],
  loop: NewStep,
  isRetired: IsRetired,
): string {
  const steps = ids.map((id) => tx.requireNode(id))
  const [first] = steps
  if (!first) throw new CommandRefused('unknown_step')
  if (steps.some((step) => roleOf(step) === 'trigger')) throw new CommandRefused('is_trigger')
  if (steps.some(({ parentId }) => parentId !== first.parentId)) throw new CommandRefused('other_level')
  if (roleOf({ type: loop.type }) !== 'loop') throw new CommandRefused('not_a_loop')
  const inside = new Set(ids)
  const incoming = ids.flatMap((id) => tx.edgesTo(id).filter(({ source }) => !inside.has(source)))
  const outgoing = ids.flatMap((id) =>
    tx.edgesFrom(id).filter(({ target, sourceHandle }) => !inside.has(target) && sourceHandle !== 'body'),
  )
  const loopsBack = outgoing.some(({ target }) => ids.some((id) => reaches(tx, target, id)))
  if (loopsBack) throw new CommandRefused('not_together')
  const inner = new Map(
    steps.map((step) => [step.id, tx.edgesTo(step.id).some(({ source }) => inside.has(source))]),
  )
  const entries = ids.filter((id) => incoming.some(({ target }) => target === id) || inner.get(id) === false)

  const corner = {
    x: Math.min(...steps.map(({ position }) => position.x)),
    y: Math.min(...steps.map(({ position }) => position.y)),
  }
  const name = freshName(loop.name, (one) => tx.named(one).length > 0)
  const id = freshStepId(name, loop.type, (one) => tx.node(one) !== null || isRetired(one))
  const config = loop.config ?? {}
  // Before its steps in the order, so that it is drawn below them.
  tx.putNode({ id, type: loop.type, name, parentId: first.parentId, position: corner, config }, first.id)
  for (const edge of [...incoming, ...outgoing]) tx.removeEdge(edge.id)
  for (const step of steps) tx.putNode(shifted(step, id, corner, BODY_PX))
  for (const { source, sourceHandle } of incoming) {
    // An edge into the body of an outer Loop still leads there.
    putEdgeBetween(tx, { source, handle: sourceHandle }, id)
  }
  for (const entry of entries) {
    const step = steps.find((one) => one.id === entry)
    if (step && roleOf(step) !== 'note') putEdgeBetween(tx, { source: id, handle: 'body' }, entry)
  }
  for (const { target } of outgoing) putEdgeBetween(tx, { source: id, handle: 'done' }, target)
  return id
}

/** Removes a Loop and leaves its steps in its place: they run once. */
export function unwrapLoop(tx: Transaction, loopId: string): void {
  const loop = tx.requireNode(loopId)
  if (roleOf(loop) !== 'loop') throw new CommandRefused('not_a_loop')
  const steps = tx.childrenOf(loopId)
  const incoming = tx.edgesTo(loopId)
  const leaving = tx.edgesFrom(loopId)
  const entries = leaving.filter(({ sourceHandle }) => sourceHandle === 'body').map(({ target }) => target)
  const next = leaving.filter(({ sourceHandle }) => sourceHandle !== 'body').map(({ target }) => target)
  const ends = steps.filter((step) => {
    const leadsOn = tx.edgesFrom(step.id).some(({ sourceHandle }) => sourceHandle !== 'body')
    return !leadsOn && roleOf(step) !== 'note'
  })
  for (const edge of [...incoming, ...leaving]) tx.removeEdge(edge.id)
  const { x, y } = loop.position
  for (const step of steps) {
    const position = { x: step.position.x + x - BODY_PX.x, y: step.position.y + y - BODY_PX.y }
    tx.putNode({ ...step, parentId: loop.parentId, position })
  }
  tx.removeNode(loopId)
  for (const { source, sourceHandle } of incoming) {
    const targets = entries.length > 0 ? entries : next
    for (const target of targets) putEdgeBetween(tx, { source, handle: sourceHandle }, target)
  }
  for (const end of entries.length > 0 ? ends : []) {
    const handle = wayOn(end)
    if (handle === null) continue
    for (const target of next) putEdgeBetween(tx, { source: end.id, handle }, target)
  }
}

function shifted(
  step: GraphNode,
  parentId: string,
  corner: GraphNode['position'],
  margin: GraphNode['position'],
): GraphNode {
  const { x, y } = step.position
  return { ...step, parentId, position: { x: x - corner.x + margin.x, y: y - corner.y + margin.y } }
}
