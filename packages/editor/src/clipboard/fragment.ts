import { type Checked, isJsonObject } from '@troupe/contract'
import { type Graph, type GraphEdge, type GraphNode, parseGraph, referencesOf } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { putEdgeBetween } from '../commands/connect-steps.ts'
import type { IsRetired } from '../commands/edit-steps.ts'
import { levelBehind, roleOf } from '../commands/step-shape.ts'
import type { DraftReader } from '../document/draft-document.ts'
import { CommandRefused, type Transaction } from '../document/transaction.ts'
import { rewired } from '../ids/rewire-tokens.ts'
import { freshName, freshStepId } from '../ids/step-ids.ts'

/** Steps that were copied, with the edges between them. */
export interface Fragment {
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
}

/** What the clipboard says it is, so that a foreign text is not taken for steps. */
const FORMAT = 'graph/1'

/** Copies steps, with the bodies of Loops and the edges between them. */
export function fragmentOf(reader: DraftReader, ids: readonly string[]): Fragment {
  const chosen = new Set(ids)
  // A Set that grows while it is read.
  for (const id of chosen) for (const child of reader.childrenOf(id)) chosen.add(child.id)
  const nodes = reader
    .nodes()
    .filter(({ id }) => chosen.has(id))
    .map((node) => (chosen.has(node.parentId ?? '') ? node : { ...node, parentId: null }))
  const edges = [...chosen].flatMap((id) => reader.edgesFrom(id).filter(({ target }) => chosen.has(target)))
  return { nodes, edges }
}

/** A fragment as the text of the clipboard. */
export function clipboardText({ nodes, edges }: Fragment): string {
  return JSON.stringify({ troupe: FORMAT, nodes, edges }, null, 2)
}

/** Steps in a value from the clipboard; null: it is something else, or has faults. */
export function readFragment(value: unknown): Fragment | null {
  if (!isJsonObject(value) || value.troupe !== FORMAT) return null
  const parsed: Checked<Graph> = parseGraph({ nodes: value.nodes, edges: value.edges })
  return parsed.ok ? { nodes: parsed.value.nodes, edges: parsed.value.edges } : null
}

/** The agents, teams and LLM configurations that copied steps name, each once: another organization may not have them. */
export function resourcesOf({ nodes }: Fragment): { kind: string; id: string }[] {
  const found = new Map<string, { kind: string; id: string }>()
  for (const { kind, id } of referencesOf(nodes, NODE_TYPES)) {
    if (id !== null) found.set(`${kind} ${id}`, { kind, id })
  }
  return [...found.values()]
}

/**
 * Puts copied steps into a frame, with new ids; tokens among them follow, and names are numbered where they are taken.
 *
 * @returns new ids by the copied ones
 */
export function paste(
  tx: Transaction,
  { nodes, edges }: Fragment,
  place: { parentId: string | null; offset: GraphNode['position'] },
  isRetired: IsRetired,
): Map<string, string> {
  if (nodes.length === 0) throw new CommandRefused('nothing_to_paste')
  const { parentId, offset } = place
  if (parentId !== null && roleOf(tx.requireNode(parentId)) !== 'loop') throw new CommandRefused('not_a_loop')
  const ids = new Map<string, string>()
  const [takenIds, takenNames] = [new Set<string>(), new Set<string>()]
  const names = new Map<string, string>()
  for (const { id, name, type } of nodes) {
    const ownName = freshName(name, (one) => takenNames.has(one) || tx.named(one).length > 0)
    const isTaken = (one: string) => takenIds.has(one) || tx.node(one) !== null || isRetired(one)
    const ownId = freshStepId(ownName, type, isTaken)
    takenNames.add(ownName)
    takenIds.add(ownId)
    names.set(id, ownName)
    ids.set(id, ownId)
  }
  for (const node of nodes) {
    const isTop = !ids.has(node.parentId ?? '')
    // A trigger starts the whole workflow, so it stands outside of all Loops.
    const own = isTop
      ? roleOf(node) === 'trigger'
        ? null
        : parentId
      : (ids.get(node.parentId ?? '') ?? null)
    const { x, y } = node.position
    const position = isTop ? { x: x + offset.x, y: y + offset.y } : node.position
    const id = ids.get(node.id) ?? node.id
    const name = names.get(node.id) ?? node.name
    tx.putNode(rewired({ ...node, id, name, parentId: own, position }, ids))
  }
  for (const { source, sourceHandle, target } of edges) {
    const [from, to] = [ids.get(source), ids.get(target)]
    if (from === undefined || to === undefined) continue
    const level = levelBehind(tx.requireNode(from), sourceHandle)
    // A trigger that was copied into a Loop stands outside of it.
    if (tx.requireNode(to).parentId === level) putEdgeBetween(tx, { source: from, handle: sourceHandle }, to)
  }
  return ids
}

/** Copies steps beside themselves, within their frame. */
export function duplicate(
  tx: Transaction,
  ids: readonly string[],
  isRetired: IsRetired,
): Map<string, string> {
  const [first] = ids.map((id) => tx.requireNode(id))
  const parents = new Set(ids.map((id) => tx.requireNode(id).parentId))
  const parentId = parents.size === 1 ? (first?.parentId ?? null) : null
  return paste(tx, fragmentOf(tx, ids), { parentId, offset: { x: 40, y: 40 } }, isRetired)
}
