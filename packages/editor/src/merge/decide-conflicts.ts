import type { GraphNode } from '@troupe/graph'
import { fragmentOf, paste } from '../clipboard/fragment.ts'
import type { IsRetired } from '../commands/edit-steps.ts'
import type { Transaction } from '../document/transaction.ts'
import { withValueAt } from '../values/json-path.ts'
import type { MergeChoice } from '../values/merge-contents.ts'
import { mergeNode } from './merge-node.ts'
import type { StepConflict } from './rebase.ts'

/** The side that wins a contested setting or step, or a value that the user entered instead of both. */
export type StepDecision = MergeChoice | { readonly value: unknown }

/** The user's decisions on the conflicts of a merge. */
export interface Decisions {
  /** By the id of the conflict; mine by default. */
  choices: ReadonlyMap<string, StepDecision>
  /** Steps of which my version becomes a separate step, beside theirs. It is unconnected, so it does not run until somebody connects it. */
  copies: readonly string[]
}

/** Applies decisions to a draft that still has my values. */
export function decideConflicts(
  tx: Transaction,
  conflicts: readonly StepConflict[],
  { choices, copies }: Decisions,
  isRetired: IsRetired,
): void {
  const mine = copies.filter((id) => tx.node(id) !== null).map((id) => [id, fragmentOf(tx, [id])] as const)
  // Edits are applied last: values taken from the others may move the edited item.
  for (const conflict of conflicts) if (choices.get(conflict.id) === 'theirs') takeTheirs(tx, conflict)
  for (const conflict of conflicts) {
    const choice = choices.get(conflict.id)
    if (typeof choice === 'object') setEdited(tx, conflict, choice.value)
  }
  // Last, because the names of the originals may have become free.
  for (const [id, fragment] of mine) {
    const parentId = tx.node(id)?.parentId ?? null
    paste(tx, fragment, { parentId, offset: { x: 40, y: 40 } }, isRetired)
  }
}

function takeTheirs(tx: Transaction, conflict: StepConflict): void {
  const { kind, nodeId, theirs } = conflict
  switch (kind) {
    case 'setting': {
      const { node, setting } = placeOf(tx, conflict, 'theirs')
      if (node && setting)
        tx.putNode(setting.isMerged ? node : withSetting(node, setting.path, setting.theirs))
      return
    }
    case 'removedByThem':
      for (const edge of [...tx.edgesFrom(nodeId), ...tx.edgesTo(nodeId)]) tx.removeEdge(edge.id)
      tx.removeNode(nodeId)
      return
    case 'removedByMe':
      if (theirs !== null && tx.node(nodeId) === null) {
        const isThere = theirs.parentId === null || tx.node(theirs.parentId) !== null
        tx.putNode(isThere ? theirs : { ...theirs, parentId: null })
      }
      return
    default:
      kind satisfies never
  }
}

function setEdited(tx: Transaction, conflict: StepConflict, value: unknown): void {
  const { node, setting } = placeOf(tx, conflict, 'mine')
  if (node && setting) tx.putNode(withSetting(node, setting.path, value))
}

const withSetting = (node: GraphNode, path: string, value: unknown): GraphNode => ({
  ...node,
  ...withValueAt({ ...node }, path, value),
  id: node.id,
})

/**
 * The step with one contested setting decided, and the current path of that setting. The step is merged again, because an earlier decision
 * may have removed or moved items of the list that holds the setting. A setting that has been changed since the merge is found by its previous
 * path.
 */
function placeOf(tx: Transaction, { nodeId, setting, base, theirs }: StepConflict, choice: MergeChoice) {
  const now = tx.node(nodeId)
  if (now === null || setting === null) return { node: null, setting: null }
  if (base === null || theirs === null) return { node: now, setting: { ...setting, isMerged: false } }
  const { node, conflicts } = mergeNode(base, now, theirs, { [setting.id]: choice })
  const open = conflicts.find(({ id }) => id === setting.id)
  if (!open) return { node: now, setting: { ...setting, isMerged: false } }
  // Position and id are not settings.
  return { node: { ...node, id: now.id, position: now.position }, setting: { ...open, isMerged: true } }
}
