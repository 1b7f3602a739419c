import { changedNumberFault, changedNumbers, isJsonObject, JSON_BUDGET, parseJson } from '@troupe/contract'
import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  MAX_GRAPH_BYTES,
  MAX_NODES,
  parseGraph,
  type ResourceReference,
} from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { putEdgeBetween } from '../commands/connect-steps.ts'
import type { IsRetired } from '../commands/edit-steps.ts'
import { levelBehind, roleOf } from '../commands/step-shape.ts'
import type { DraftReader } from '../document/draft-document.ts'
import { CommandRefused, type Transaction } from '../document/transaction.ts'
import { rewired } from '../ids/rewire-tokens.ts'
import { freshName, freshStepId, type LastNumbers } from '../ids/step-ids.ts'
import { besideAll, isPlaced } from '../layout/placed-level.ts'
import { GAP_Y, STEP_HEIGHT } from '../layout/step-size.ts'
import { withValueAt } from '../values/json-path.ts'

/** Copied steps, with the edges between them. */
export interface Fragment {
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
}

/** Marks a text as steps of Troupe. */
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

/** A fragment as clipboard text, without line breaks: indented, a large draft would exceed the limit of a paste. */
export function clipboardText({ nodes, edges }: Fragment): string {
  return JSON.stringify({ troupe: FORMAT, nodes, edges })
}

/** The reason for a refused paste. `detail` is a part of a sentence from a check of the text. */
export type ClipboardFault =
  /** More than the maximum of a draft. */
  | { kind: 'tooLarge' }
  /** Not the output of {@link clipboardText}: other text, or the format of another program. */
  | { kind: 'foreign' }
  /** Steps that are incomplete, contradict each other or have a number that would be rounded. */
  | { kind: 'faulty'; detail: string }

export type ReadClipboard = { ok: true; fragment: Fragment } | { ok: false; fault: ClipboardFault }

/** The size of the largest draft and of the envelope of {@link clipboardText}. */
const BUDGET = {
  ...JSON_BUDGET,
  characters: MAX_GRAPH_BYTES + clipboardText({ nodes: [], edges: [] }).length,
  values: 1_000_000,
}

/** Parses the steps in a clipboard text. A text that is too large is not parsed. */
export function readClipboard(text: string): ReadClipboard {
  const read = parseJson(text, BUDGET)
  if (!read.ok) return refused({ kind: read.excess === null ? 'foreign' : 'tooLarge' })
  const { value } = read
  if (!isJsonObject(value) || value.troupe !== FORMAT) return refused({ kind: 'foreign' })
  const [changed] = changedNumbers(text, 1)
  if (changed) {
    return refused({ kind: 'faulty', detail: `${changed.path} ${changedNumberFault(changed.literal)}` })
  }
  const parsed = parseGraph({ nodes: value.nodes, edges: value.edges })
  if (!parsed.ok) {
    const [first] = parsed.errors
    return refused({ kind: 'faulty', detail: first ? `${first.path} ${first.message}` : '' })
  }
  const detail = contradictionIn(parsed.value)
  if (detail !== null) return refused({ kind: 'faulty', detail })
  return { ok: true, fragment: { nodes: parsed.value.nodes, edges: parsed.value.edges } }
}

const refused = (fault: ClipboardFault): ReadClipboard => ({ ok: false, fault })

/** A fault that no real copy has: a repeated step, or a step inside itself or inside a step other than a Loop. */
function contradictionIn({ nodes }: Graph): string | null {
  const known = new Map<string, GraphNode>()
  for (const node of nodes) {
    if (known.has(node.id)) return `the step ${node.id} exists twice`
    known.set(node.id, node)
  }
  const isRooted = new Set<string>()
  for (const node of nodes) {
    const way = new Set<string>()
    for (let at: GraphNode | undefined = node; at !== undefined && !isRooted.has(at.id); ) {
      if (way.has(at.id)) return `the step ${at.id} is inside itself`
      way.add(at.id)
      const around = known.get(at.parentId ?? '')
      if (around && roleOf(around) !== 'loop')
        return `the step ${at.id} is inside ${around.id}, which is not a Loop`
      at = around
    }
    for (const id of way) isRooted.add(id)
  }
  return null
}

/** A resource outside the workflow that copied steps use. */
export interface UsedResource extends Pick<ResourceReference, 'kind'> {
  id: string
  /** Names of the steps that use it, in order. */
  steps: readonly string[]
}

/** Identifies a resource: ids are unique within their kind only. */
export const resourceKey = ({ kind, id }: { kind: string; id: string | null }): string => `${kind} ${id}`

/** The agents, teams and LLM configurations used by copied steps, each once: they may not exist in another organization. */
export function resourcesOf({ nodes }: Fragment): UsedResource[] {
  const found = new Map<string, UsedResource & { steps: string[] }>()
  for (const node of nodes) {
    for (const { kind, id } of referencesIn(node)) {
      if (id === null) continue
      const known = found.get(resourceKey({ kind, id }))
      if (known) known.steps.push(node.name)
      else found.set(resourceKey({ kind, id }), { kind, id, steps: [node.name] })
    }
  }
  return [...found.values()]
}

const referencesIn = ({ type, config }: GraphNode) => NODE_TYPES.get(type)?.references?.(config) ?? []

/** Copied steps with their resources replaced. A resource without a replacement is kept. */
export function withResources(
  { nodes, edges }: Fragment,
  chosen: readonly { kind: string; id: string; replacement: string }[],
): Fragment {
  const others = new Map(chosen.map((one) => [resourceKey(one), one.replacement]))
  const changed = nodes.map((node) => {
    let { config } = node
    for (const reference of referencesIn(node)) {
      const other = others.get(resourceKey(reference))
      if (other !== undefined) config = withValueAt(config, reference.path, other)
    }
    return config === node.config ? node : { ...node, config }
  })
  return { nodes: changed, edges }
}

/** The target of a paste. */
export interface PastePlace {
  /** The Loop whose body receives the steps; null: the root. */
  parentId: string | null
  /** The offset from the originals in the same level; null: the steps are placed beside all steps of the level. */
  offset: GraphNode['position'] | null
}

/**
 * Pastes copied steps into a frame, with new ids. Tokens among them are rewritten, and taken names get a number. In an automatically
 * laid-out level, the new steps are laid out too.
 *
 * @returns new ids by the ids of the originals
 */
export function paste(
  tx: Transaction,
  { nodes, edges }: Fragment,
  { parentId, offset }: PastePlace,
  isRetired: IsRetired,
): Map<string, string> {
  if (nodes.length === 0) throw new CommandRefused('nothing_to_paste')
  if (tx.nodes().length + nodes.length > MAX_NODES) throw new CommandRefused('too_many_steps')
  if (parentId !== null && roleOf(tx.requireNode(parentId)) !== 'loop') throw new CommandRefused('not_a_loop')
  const ids = new Map<string, string>()
  const [takenIds, takenNames] = [new Set<string>(), new Set<string>()]
  const [lastIds, lastNames]: [LastNumbers, LastNumbers] = [new Map(), new Map()]
  const names = new Map<string, string>()
  for (const { id, name, type } of nodes) {
    const ownName = freshName(name, (one) => takenNames.has(one) || tx.named(one).length > 0, lastNames)
    const isTaken = (one: string) => takenIds.has(one) || tx.node(one) !== null || isRetired(one)
    const ownId = freshStepId(ownName, type, isTaken, lastIds)
    takenNames.add(ownName)
    takenIds.add(ownId)
    names.set(id, ownName)
    ids.set(id, ownId)
  }
  // A trigger starts the whole workflow, so it is placed outside all Loops.
  const levelOf = (node: GraphNode) => (roleOf(node) === 'trigger' ? null : parentId)
  const tops = nodes.filter((node) => !ids.has(node.parentId ?? ''))
  const positions = new Map<string, GraphNode['position']>()
  for (const [level, own] of Map.groupBy(tops, levelOf)) {
    for (const [id, position] of positionsIn(tx, level, own, offset)) positions.set(id, position)
  }
  for (const node of nodes) {
    const top = positions.get(node.id)
    const own = top ? levelOf(node) : (ids.get(node.parentId ?? '') ?? null)
    const id = ids.get(node.id) ?? node.id
    const name = names.get(node.id) ?? node.name
    tx.putNode(rewired({ ...node, id, name, parentId: own, position: top ?? node.position }, ids))
  }
  for (const { source, sourceHandle, target } of edges) {
    const [from, to] = [ids.get(source), ids.get(target)]
    if (from === undefined || to === undefined) continue
    const level = levelBehind(tx.requireNode(from), sourceHandle)
    // A trigger that was copied into a Loop is outside it.
    if (tx.requireNode(to).parentId === level) putEdgeBetween(tx, { source: from, handle: sourceHandle }, to)
  }
  return ids
}

/** The positions of steps that are added to a level. */
function positionsIn(
  tx: Transaction,
  level: string | null,
  own: readonly GraphNode[],
  offset: PastePlace['offset'],
): Map<string, GraphNode['position']> {
  const there = tx.childrenOf(level).map(({ position }) => position)
  const [first] = there
  const isByHand = isPlaced(own.map(({ position }) => position))
  if (first && !isPlaced(there)) return new Map(own.map(({ id }) => [id, first]))
  if (!first) return new Map(own.map(({ id, position }) => [id, isByHand ? position : { x: 0, y: 0 }]))
  const corner = besideAll(tx, level)
  // Automatically laid-out steps have no positions of their own, so they are stacked vertically.
  if (!isByHand) {
    return new Map(
      own.map(({ id }, at) => [id, { x: corner.x, y: corner.y + at * (STEP_HEIGHT + GAP_Y) }] as const),
    )
  }
  const left = own.reduce((least, { position }) => Math.min(least, position.x), Number.POSITIVE_INFINITY)
  const above = own.reduce((least, { position }) => Math.min(least, position.y), Number.POSITIVE_INFINITY)
  const by = offset ?? { x: corner.x - left, y: corner.y - above }
  return new Map(own.map(({ id, position: { x, y } }) => [id, { x: x + by.x, y: y + by.y }]))
}

/** Duplicates steps beside the originals, within their frame. */
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
