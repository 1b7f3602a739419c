import type { GraphEdge } from '@troupe/graph'
import type { EdgePatch, NodePatch, Patch } from '../document/patch.ts'
import type { Transaction } from '../document/transaction.ts'
import { isSameJson } from '../values/json-path.ts'
import { mergeNode } from './merge-node.ts'
import { phasesOf } from './phases.ts'

/** A part that was skipped because somebody else has changed it since. */
export interface LeftAsItIs {
  kind: 'node' | 'edge'
  id: string
  /** Paths below the node; empty: the whole part. */
  paths: readonly string[]
}

/**
 * Applies a change to a draft that has changed since. Parts that nobody else changed are updated; the others are skipped and reported, so
 * an undo never reverts a colleague's work.
 */
export function replay(tx: Transaction, patches: readonly Patch[]): LeftAsItIs[] {
  const phases = phasesOf(patches)
  const left: LeftAsItIs[] = []
  const leave = (kind: LeftAsItIs['kind'], id: string, paths: readonly string[] = []) => {
    left.push({ kind, id, paths })
  }
  for (const { id, before } of phases.edgesGone) {
    const now = tx.edge(id)
    if (now === null) continue
    if (isSameJson(now, before)) tx.removeEdge(id)
    else leave('edge', id)
  }
  for (const patch of phases.nodesPut) {
    const paths = patch.before === null ? addNode(tx, patch) : changeNode(tx, patch)
    if (paths !== null) leave('node', patch.id, paths)
  }
  const going = new Set(phases.nodesGone.map(({ id }) => id))
  for (const patch of phases.nodesGone) if (!removeNode(tx, patch, going)) leave('node', patch.id)
  // The step's previous Loop may be gone.
  for (const { id } of phases.nodesPut) {
    const node = tx.node(id)
    if (node === null || node.parentId === null || tx.node(node.parentId) !== null) continue
    tx.putNode({ ...node, parentId: null })
    leave('node', id, ['parentId'])
  }
  for (const patch of phases.edgesPut) if (!putEdge(tx, patch)) leave('edge', patch.id)
  if (phases.expose !== undefined) tx.setExpose(phases.expose)
  return left
}

/** The skipped paths: null for none, empty for the whole node. */
function addNode(tx: Transaction, { id, after, next, otherId }: NodePatch): readonly string[] | null {
  const now = tx.node(id)
  if (after === null) return null
  if (now === null) tx.putNode(after, next, otherId)
  else if (!isSameJson(now, after)) return []
  return null
}

/** The skipped paths: null for none, empty for the whole node. */
function changeNode(
  tx: Transaction,
  { id, before, after, next, isMoved }: NodePatch & { isMoved: boolean },
): readonly string[] | null {
  const now = tx.node(id)
  if (before === null || after === null) return null
  if (now === null) return []
  const { node, conflicts } = mergeNode(before, after, now, 'theirs')
  // A position that somebody else has changed since is kept, too.
  const position = isSameJson(before.position, now.position) ? after.position : now.position
  if (isMoved) tx.removeNode(id)
  tx.putNode({ ...node, position }, next)
  return conflicts.length === 0 ? null : conflicts.map(({ path }) => path)
}

/** Whether a node is gone afterwards; a node that somebody has changed or used since is kept. */
function removeNode(
  tx: Transaction,
  { id, before, otherId }: NodePatch,
  going: ReadonlySet<string>,
): boolean {
  const now = tx.node(id)
  if (now === null) return true
  const isTouched = !isSameJson({ ...now, position: null }, { ...before, position: null })
  const isUsed =
    tx.edgesFrom(id).length > 0 ||
    tx.edgesTo(id).length > 0 ||
    tx.childrenOf(id).some((child) => !going.has(child.id))
  if (isTouched || isUsed) return false
  tx.removeNode(id, otherId)
  return true
}

/** Whether the edge exists afterwards, possibly under another id. */
function putEdge(tx: Transaction, { id, before, after, next }: EdgePatch): boolean {
  if (after === null) return true
  const now = tx.edge(id)
  if (isSameJson(now, after) || hasTwin(tx, after)) return true
  if (!isSameJson(now, before)) return false
  if (tx.node(after.source) === null || tx.node(after.target) === null) return false
  tx.putEdge(after, next)
  return true
}

/** Whether another edge connects the same handle with the same step: edges are a set, whatever their ids. */
export function hasTwin(tx: Transaction, { id, source, sourceHandle, target }: GraphEdge): boolean {
  return tx
    .edgesFrom(source)
    .some((edge) => edge.id !== id && edge.sourceHandle === sourceHandle && edge.target === target)
}
