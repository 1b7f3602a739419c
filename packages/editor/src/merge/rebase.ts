import type { GraphEdge, GraphNode } from '@troupe/graph'
import type { EdgePatch, NodePatch, Patch } from '../document/patch.ts'
import type { Transaction } from '../document/transaction.ts'
import { rewired } from '../ids/rewire-tokens.ts'
import { edgeIdOf, freshName, freshStepId, type IsTaken } from '../ids/step-ids.ts'
import { isSameJson } from '../values/json-path.ts'
import type { SettingConflict } from '../values/merge-contents.ts'
import { mergeNode } from './merge-node.ts'
import { type Phases, phasesOf } from './phases.ts'
import { hasTwin } from './replay.ts'

/** A conflict of a merge: two users changed a setting of a step, or a whole step, to different values. */
export interface StepConflict {
  /** Stable while other conflicts are decided. */
  id: string
  nodeId: string
  /** The step's name in the merged draft, or before it if the step is gone. */
  nodeName: string
  /** `removedByThem`: I changed what they have removed; `removedByMe`: they changed what I have removed. */
  kind: 'setting' | 'removedByThem' | 'removedByMe'
  /** Of a setting: its path below the node and its values. */
  setting: SettingConflict | null
  base: GraphNode | null
  theirs: GraphNode | null
}

/** A change that a merge made to keep the draft valid. */
export interface MergeNote {
  kind: 'idChanged' | 'renamed' | 'edgeDropped' | 'movedOut'
  nodeId: string
  name: string
}

export interface Rebased {
  conflicts: StepConflict[]
  notes: MergeNote[]
  /** Old to new ids of my steps whose id both sides had added. */
  ids: ReadonlyMap<string, string>
  /** My names that got a number because both sides took them, by step id. */
  names: ReadonlyMap<string, { from: string; to: string }>
}

/** The known changes of the other side. */
export interface Theirs {
  patches: readonly Patch[]
}

/**
 * Rebases unsaved changes onto the saves of others, by step and by setting. A conflict keeps my value and is returned,
 * so that the user can decide. No typed value is dropped.
 *
 * Further rules: an id that both sides added changes on my side, with its tokens; a name that both sides took gets a
 * number; edges are equal if their ends are, whatever their ids; an edge to a step that they removed is dropped; a step
 * whose Loop is gone moves out of it.
 *
 * @param mine the minimal patches of my unsaved changes
 * @param theirs null: only the resulting draft is known
 */
export function rebase(
  tx: Transaction,
  mine: readonly Patch[],
  theirs: Theirs | null,
  isRetired: IsTaken,
): Rebased {
  const ids = newIds(tx, mine, isRetired)
  const phases = phasesOf(ids.size === 0 ? mine : mine.map((patch) => renamedPatch(patch, ids)))
  const notes: MergeNote[] = [...ids.values()].map((nodeId) => ({
    kind: 'idChanged',
    nodeId,
    name: nameIn(phases, nodeId),
  }))
  const conflicts: StepConflict[] = []
  const note = (kind: MergeNote['kind'], nodeId: string) => {
    const name = tx.node(nodeId)?.name ?? nameIn(phases, nodeId)
    notes.push({ kind, nodeId, name })
  }
  for (const { id } of phases.edgesGone) tx.removeEdge(id)
  for (const patch of phases.nodesPut) conflicts.push(...putNode(tx, patch, theirs))
  for (const patch of phases.nodesGone) conflicts.push(...removeNode(tx, patch))
  const names = freedNames(tx, phases, theirs)
  for (const id of names.keys()) note('renamed', id)
  for (const id of movedOut(tx, phases, theirs)) note('movedOut', id)
  for (const id of putEdges(tx, phases.edgesPut)) note('edgeDropped', id)
  for (const id of dropLooseEdges(tx, phases)) note('edgeDropped', id)
  if (phases.expose !== undefined) tx.setExpose(phases.expose)
  return { conflicts, notes, ids, names }
}

/** The name of a step that the draft may no longer have. */
function nameIn({ nodesPut, nodesGone }: Phases, id: string): string {
  const patch = [...nodesPut, ...nodesGone].find((one) => one.id === id)
  return (patch?.after ?? patch?.before)?.name ?? id
}

/** New ids for steps that I added under an id that the other side also added. */
function newIds(tx: Transaction, mine: readonly Patch[], isRetired: IsTaken): Map<string, string> {
  const ids = new Map<string, string>()
  const added = mine.filter((patch): patch is NodePatch => patch.kind === 'node' && patch.before === null)
  const gone = new Set(
    mine.flatMap((patch) => (patch.kind === 'node' && patch.after === null ? patch.id : [])),
  )
  const taken = new Set(added.map(({ id }) => id))
  for (const { id, after } of added) {
    const now = tx.node(id)
    if (after === null || now === null || gone.has(id) || isSameJson(now, after)) continue
    const isTaken = (one: string) => taken.has(one) || tx.node(one) !== null || isRetired(one)
    const fresh = freshStepId(after.name, after.type, isTaken)
    taken.add(fresh)
    ids.set(id, fresh)
  }
  return ids
}

/** Renames step ids in a patch. The history is renamed too, so that an undo finds its steps. */
export function renamedPatch(patch: Patch, ids: ReadonlyMap<string, string>): Patch {
  const idOf = (id: string) => ids.get(id) ?? id
  const nodeOf = (node: GraphNode | null) => {
    if (node === null) return null
    const parentId = node.parentId === null ? null : idOf(node.parentId)
    return rewired({ ...node, id: idOf(node.id), parentId }, ids)
  }
  const edgeOf = (edge: GraphEdge | null) => {
    if (edge === null) return null
    const [source, target] = [idOf(edge.source), idOf(edge.target)]
    if (source === edge.source && target === edge.target) return edge
    return { ...edge, id: edgeIdOf(source, edge.sourceHandle, target), source, target }
  }
  switch (patch.kind) {
    case 'node': {
      const next = patch.next === null ? null : idOf(patch.next)
      const [before, after] = [nodeOf(patch.before), nodeOf(patch.after)]
      const renamed = { ...patch, id: idOf(patch.id), before, after, next }
      return patch.otherId === undefined ? renamed : { ...renamed, otherId: idOf(patch.otherId) }
    }
    case 'edge': {
      const [before, after] = [edgeOf(patch.before), edgeOf(patch.after)]
      return { ...patch, id: (after ?? before)?.id ?? patch.id, before, after }
    }
    case 'expose':
      return patch
    default:
      return patch satisfies never
  }
}

function putNode(
  tx: Transaction,
  { id, before, after, next, isMoved, otherId }: Phases['nodesPut'][number],
  theirs: Theirs | null,
): StepConflict[] {
  if (after === null) return []
  if (before === null) {
    tx.putNode(after, next, otherId)
    return []
  }
  const now = tx.node(id)
  if (now === null) {
    const isOnlyMoved = isSameJson({ ...before, position: null }, { ...after, position: null })
    if (isOnlyMoved) return []
    tx.putNode(after, next)
    putEdgesBack(tx, id, theirs)
    return [conflictOf('removedByThem', id, after.name, { base: before, theirs: null })]
  }
  const { node, conflicts } = mergeNode(before, after, now)
  if (isMoved) tx.removeNode(id)
  tx.putNode(node, next)
  return conflicts.map((setting) => ({
    ...conflictOf('setting', id, node.name, { base: before, theirs: now }),
    id: `${id} ${setting.id}`,
    setting,
  }))
}

/** Restores the edges that they removed with a step that I put back. */
function putEdgesBack(tx: Transaction, nodeId: string, theirs: Theirs | null): void {
  for (const patch of theirs?.patches ?? []) {
    if (patch.kind !== 'edge' || patch.after !== null || patch.before === null) continue
    const { source, target } = patch.before
    if (source !== nodeId && target !== nodeId) continue
    if (tx.node(source) === null || tx.node(target) === null || hasTwin(tx, patch.before)) continue
    tx.putEdge(patch.before, patch.next)
  }
}

function removeNode(tx: Transaction, { id, before, otherId }: NodePatch): StepConflict[] {
  const now = tx.node(id)
  if (now === null || before === null) return []
  const isTouched = !isSameJson({ ...now, position: null }, { ...before, position: null })
  tx.removeNode(id, otherId)
  return isTouched ? [conflictOf('removedByMe', id, now.name, { base: before, theirs: now })] : []
}

function conflictOf(
  kind: StepConflict['kind'],
  nodeId: string,
  nodeName: string,
  { base, theirs }: Pick<StepConflict, 'base' | 'theirs'>,
): StepConflict {
  return { id: `${nodeId} ${kind}`, nodeId, nodeName, kind, setting: null, base, theirs }
}

/** Numbers the names that I gave to steps and they gave to others in the meantime. */
function freedNames(tx: Transaction, phases: Phases, theirs: Theirs | null): Rebased['names'] {
  const own = new Map(
    phases.nodesPut
      .filter(({ before, after }) => after !== null && after.name !== before?.name)
      .map(({ id }) => [id, true]),
  )
  const given = theirs && namesGiven(theirs)
  const changed = new Map<string, { from: string; to: string }>()
  for (const id of own.keys()) {
    const node = tx.node(id)
    if (node === null) continue
    const others = tx.named(node.name).filter((other) => other !== id && !own.has(other))
    if (others.length === 0 || (given && !others.some((other) => given.has(other)))) continue
    const name = freshName(node.name, (one) => tx.named(one).length > 0)
    tx.putNode({ ...node, name })
    changed.set(id, { from: node.name, to: name })
  }
  return changed
}

/** The ids of the steps that they added or renamed. */
function namesGiven({ patches }: Theirs): Set<string> {
  return new Set(
    patches.flatMap((patch) => {
      if (patch.kind !== 'node' || patch.after === null) return []
      return patch.after.name === patch.before?.name ? [] : [patch.id]
    }),
  )
}

/** Moves steps whose Loop is removed to its frame; returns their ids. */
function movedOut(tx: Transaction, { nodesPut, nodesGone }: Phases, theirs: Theirs | null): string[] {
  const moved: string[] = []
  const removed = [...(theirs?.patches ?? []), ...nodesGone].filter(
    (patch): patch is NodePatch => patch.kind === 'node' && patch.after === null,
  )
  const outer = new Map(removed.map(({ id, before }) => [id, before?.parentId ?? null]))
  const own = nodesPut.flatMap(({ id }) => tx.node(id) ?? [])
  const orphans = [...own, ...nodesGone.flatMap(({ id }) => tx.childrenOf(id))]
  for (const { id } of orphans) {
    const node = tx.node(id)
    if (node === null || node.parentId === null || tx.node(node.parentId) !== null) continue
    let parentId: string | null = node.parentId
    const seen = new Set<string>()
    while (parentId !== null && tx.node(parentId) === null && !seen.has(parentId)) {
      seen.add(parentId)
      parentId = outer.get(parentId) ?? null
    }
    tx.putNode({ ...node, parentId: parentId !== null && tx.node(parentId) === null ? null : parentId })
    moved.push(id)
  }
  return moved
}

/** Puts my edges; returns the ids of the steps whose edge is omitted, because the step at its other end is gone. */
function putEdges(tx: Transaction, patches: readonly EdgePatch[]): string[] {
  const dropped: string[] = []
  for (const { after, next } of patches) {
    if (after === null || hasTwin(tx, after)) continue
    const [source, target] = [tx.node(after.source), tx.node(after.target)]
    if (source === null || target === null) {
      if (source !== null || target !== null) dropped.push((source ?? target)?.id ?? '')
      continue
    }
    const now = tx.edge(after.id)
    const isOther = now !== null && (now.source !== after.source || now.target !== after.target)
    const id = edgeIdOf(after.source, after.sourceHandle, after.target)
    tx.putEdge(isOther && tx.edge(id) === null ? { ...after, id } : after, next)
  }
  return dropped
}

/** Removes their edges to steps that I removed; returns the ids of the steps at their other ends. */
function dropLooseEdges(tx: Transaction, { nodesGone }: Phases): string[] {
  const dropped: string[] = []
  for (const { id } of nodesGone) {
    if (tx.node(id) !== null) continue
    for (const edge of [...tx.edgesFrom(id), ...tx.edgesTo(id)]) {
      tx.removeEdge(edge.id)
      const other = edge.source === id ? edge.target : edge.source
      if (tx.node(other) !== null) dropped.push(other)
    }
  }
  return dropped
}
