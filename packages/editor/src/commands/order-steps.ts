import type { GraphEdge } from '@troupe/graph'
import { CommandRefused, type Transaction } from '../document/transaction.ts'
import { putEdgeBetween } from './connect-steps.ts'
import { levelBehind, wayOn } from './step-shape.ts'

/**
 * Moves a step by one place. In a chain it is swapped with the step before or behind it; among the first steps of several edges of one
 * handle, the order of these edges changes.
 */
export function moveInOrder(tx: Transaction, id: string, direction: 'earlier' | 'later'): void {
  tx.requireNode(id)
  const only = onlyOne(tx.edgesTo(id))
  if (only && moveAmongWays(tx, only, direction)) return
  if (direction === 'later') {
    const next = onlyOne(tx.edgesFrom(id).filter(({ sourceHandle }) => sourceHandle !== 'body'))?.target
    if (next === undefined) throw new CommandRefused('nothing_to_move')
    changePlaces(tx, id, next)
  } else {
    if (!only) throw new CommandRefused('nothing_to_move')
    changePlaces(tx, only.source, id)
  }
}

/** Moves the edge to a step before or behind another edge of the same handle; false if the handle has no other edge. */
function moveAmongWays(tx: Transaction, edge: GraphEdge, direction: 'earlier' | 'later'): boolean {
  const isBeside = ({ source, sourceHandle }: GraphEdge) =>
    source === edge.source && sourceHandle === edge.sourceHandle
  const ways = tx.edges().filter(isBeside)
  if (ways.length < 2) return false
  const at = ways.findIndex(({ id }) => id === edge.id)
  const other = ways[direction === 'earlier' ? at - 1 : at + 1]
  if (!other) throw new CommandRefused('nothing_to_move')
  const [first, second] = direction === 'earlier' ? [other, edge] : [edge, other]
  tx.removeEdge(second.id)
  tx.putEdge(second, first.id)
  return true
}

/** Swaps two steps of a chain. The second is the only follower of the first. */
function changePlaces(tx: Transaction, firstId: string, secondId: string): void {
  const [first, second] = [tx.requireNode(firstId), tx.requireNode(secondId)]
  const [between, ...others] = tx.edgesFrom(firstId).filter(({ sourceHandle }) => sourceHandle !== 'body')
  const [firstOut, secondOut] = [wayOn(first), wayOn(second)]
  const isChain =
    between?.target === secondId &&
    others.length === 0 &&
    tx.edgesTo(secondId).length === 1 &&
    levelBehind(first, between.sourceHandle) === second.parentId &&
    tx.edgesTo(firstId).length > 0
  const onward = tx.edgesFrom(secondId).filter(({ sourceHandle }) => sourceHandle !== 'body')
  const isOneWay = onward.every(({ sourceHandle }) => sourceHandle === secondOut)
  if (!isChain || firstOut === null || secondOut === null || !isOneWay) {
    throw new CommandRefused('nothing_to_move')
  }
  const incoming = tx.edgesTo(firstId)
  for (const edge of [...incoming, between, ...onward]) tx.removeEdge(edge.id)
  for (const { source, sourceHandle } of incoming) {
    putEdgeBetween(tx, { source, handle: sourceHandle }, secondId)
  }
  putEdgeBetween(tx, { source: secondId, handle: secondOut }, firstId)
  for (const { target } of onward) putEdgeBetween(tx, { source: firstId, handle: firstOut }, target)
  tx.putNode({ ...first, position: second.position })
  tx.putNode({ ...second, position: first.position })
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}
