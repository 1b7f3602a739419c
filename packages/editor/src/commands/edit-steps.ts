import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { CommandRefused, type Transaction } from '../document/transaction.ts'
import { rewired } from '../ids/rewire-tokens.ts'
import { edgeIdOf, freshName, freshStepId, type IsTaken, isStepId } from '../ids/step-ids.ts'
import { isPlaced, makeRoom, positionBelow } from '../layout/placed-level.ts'
import { withValueAt } from '../values/json-path.ts'
import { connectBehind, connectFault, putEdgeBetween, type WayOn } from './connect-steps.ts'
import { handlesOf, levelBehind, roleOf } from './step-shape.ts'

/** A step to create. */
export interface NewStep {
  type: string
  /** Gets a number if another step has the name. */
  name: string
  config?: Record<string, unknown>
}

type Position = GraphNode['position']

/** Whether an id belonged to a removed step, so that a new step must not use it. */
export type IsRetired = IsTaken

/**
 * Adds a new step behind a handle of another step; the previous targets of the handle follow the new step.
 *
 * @returns its id
 */
export function addStep(tx: Transaction, way: WayOn, step: NewStep, isRetired: IsRetired): string {
  const after = tx.requireNode(way.source)
  if (!handlesOf(after).includes(way.handle)) throw new CommandRefused('unknown_handle')
  const parentId = levelBehind(after, way.handle)
  const followed = tx.edgesFrom(way.source).filter(({ sourceHandle }) => sourceHandle === way.handle)
  makeRoom(
    tx,
    parentId,
    followed.map(({ target }) => target),
  )
  const position = positionBelow(tx, parentId, after)
  const id = putNewStep(tx, { ...step, parentId, position }, isRetired)
  connectBehind(tx, way, id)
  return id
}

/** Inserts a new step between the two steps that an edge connects. */
export function insertOnEdge(tx: Transaction, edgeId: string, step: NewStep, isRetired: IsRetired): string {
  const edge = tx.requireEdge(edgeId)
  const [from, to] = [tx.requireNode(edge.source), tx.requireNode(edge.target)]
  makeRoom(tx, to.parentId, [to.id])
  const isPlacedHere = isPlaced(tx.childrenOf(to.parentId).map(({ position }) => position))
  // In a manually placed level it takes the previous position of the next step, which has just been moved.
  const position = isPlacedHere ? to.position : positionBelow(tx, to.parentId, from)
  const id = putNewStep(tx, { ...step, parentId: to.parentId, position }, isRetired)
  const out = handlesOf(tx.requireNode(id)).find((handle) => handle !== 'body')
  if (out === undefined) throw new CommandRefused('unknown_handle')
  tx.removeEdge(edgeId)
  putEdgeBetween(tx, { source: edge.source, handle: edge.sourceHandle }, id)
  putEdgeBetween(tx, { source: id, handle: out }, edge.target)
  return id
}

/**
 * Adds a trigger. With `leadsTo`, it has the same targets as another trigger.
 *
 * @returns its id
 */
export function addTrigger(
  tx: Transaction,
  trigger: NewStep & { position: Position; leadsTo?: readonly string[] },
  isRetired: IsRetired,
): string {
  const id = putNewStep(tx, { ...trigger, parentId: null }, isRetired)
  const [handle = 'out'] = handlesOf(tx.requireNode(id))
  for (const target of trigger.leadsTo ?? []) {
    const way = { source: id, handle }
    const fault = connectFault(tx, way, target)
    if (fault !== null) throw new CommandRefused(fault)
    putEdgeBetween(tx, way, target)
  }
  return id
}

/** Adds an unconnected step: a note, or a step to be connected later. */
export function addLooseStep(
  tx: Transaction,
  step: NewStep & { parentId: string | null; position: Position },
  isRetired: IsRetired,
): string {
  if (step.parentId !== null && roleOf(tx.requireNode(step.parentId)) !== 'loop') {
    throw new CommandRefused('not_a_loop')
  }
  return putNewStep(tx, step, isRetired)
}

function putNewStep(
  tx: Transaction,
  step: NewStep & Pick<GraphNode, 'parentId' | 'position'>,
  isRetired: IsRetired,
): string {
  const { type, parentId, position, config = {} } = step
  const name = freshName(step.name, (one) => tx.named(one).length > 0)
  const id = freshStepId(name, type, (one) => tx.node(one) !== null || isRetired(one))
  tx.putNode({ id, type, name, parentId, position, config })
  return id
}

/**
 * Removes steps, each with the body of a Loop. If all handles of a step lead to one step, its predecessors are connected to that step.
 *
 * @returns the ids of all removed steps
 */
export function removeSteps(tx: Transaction, ids: readonly string[]): string[] {
  const all: string[] = []
  for (const id of ids) if (tx.node(id) !== null) all.push(...removeStep(tx, id))
  return all
}

function removeStep(tx: Transaction, id: string): string[] {
  const gone = new Set([id])
  // A Set that grows while it is read: bodies of Loops inside the Loop.
  for (const one of gone) for (const child of tx.childrenOf(one)) gone.add(child.id)
  const incoming = tx.edgesTo(id).filter(({ source }) => !gone.has(source))
  const outgoing = tx.edgesFrom(id).filter(({ target }) => !gone.has(target))
  const [next, ...others] = new Set(outgoing.map(({ target }) => target))
  for (const one of gone) {
    for (const edge of [...tx.edgesFrom(one), ...tx.edgesTo(one)]) tx.removeEdge(edge.id)
  }
  for (const one of gone) tx.removeNode(one)
  if (next !== undefined && others.length === 0) {
    for (const { source, sourceHandle } of incoming) {
      if (source !== next) putEdgeBetween(tx, { source, handle: sourceHandle }, next)
    }
  }
  return [...gone]
}

/** The id is kept, so that no token changes. */
export function renameStep(tx: Transaction, id: string, name: string): void {
  tx.putNode({ ...tx.requireNode(id), name })
}

/** Returns levels to automatic layout: the root (null) or bodies of Loops, with everything inside. Stored positions are removed. */
export function tidy(tx: Transaction, parentIds: readonly (string | null)[]): void {
  const levels = new Set(parentIds)
  // A Set that grows while it is read.
  for (const level of levels) {
    for (const node of tx.childrenOf(level)) {
      tx.putNode({ ...node, position: { x: 0, y: 0 } })
      levels.add(node.id)
    }
  }
}

/** Moves steps on the canvas. */
export function moveSteps(tx: Transaction, positions: ReadonlyMap<string, Position>): void {
  for (const [id, position] of positions) tx.putNode({ ...tx.requireNode(id), position })
}

/**
 * Disables steps, or enables them if all of them are disabled. A disabled step is skipped and passes on the output of the step before it. A
 * trigger cannot be disabled, and a note never runs.
 */
export function toggleDisabled(tx: Transaction, ids: readonly string[]): void {
  const steps = ids.map((id) => tx.requireNode(id)).filter((node) => roleOf(node) !== 'note')
  if (steps.some((node) => roleOf(node) === 'trigger')) throw new CommandRefused('trigger_runs')
  const isOff = steps.some(({ disabled }) => !disabled)
  for (const { disabled: _, ...node } of steps) tx.putNode(isOff ? { ...node, disabled: true } : node)
}

/** Sets one value of a step's config; undefined removes the key, or the item of a list. */
export function setValue(tx: Transaction, id: string, path: string, value: unknown): void {
  const node = tx.requireNode(id)
  tx.putNode({ ...node, config: withValueAt(node.config, path, value) })
}

/**
 * Changes the type of a step. Edges stay on the handles that the new type also has, or else move to its first one; matching settings are
 * kept. A name that is only the title of the previous type becomes the title of the new one.
 */
export function replaceType(tx: Transaction, id: string, type: string): void {
  const node = tx.requireNode(id)
  const definition = NODE_TYPES.get(type)
  if (!definition) throw new CommandRefused('unknown_type')
  if (node.type === type) return
  if ((definition.role === 'trigger') !== (roleOf(node) === 'trigger')) throw new CommandRefused('is_trigger')
  if (definition.role === 'note' && (tx.edgesTo(id).length > 0 || tx.edgesFrom(id).length > 0)) {
    throw new CommandRefused('no_way_in')
  }
  if (roleOf(node) === 'loop' && definition.role !== 'loop' && tx.childrenOf(id).length > 0) {
    throw new CommandRefused('not_a_loop')
  }
  const title = NODE_TYPES.get(node.type)?.title
  const isTitle = title !== undefined && (node.name === title || node.name.startsWith(`${title} `))
  const name = isTitle
    ? freshName(definition.title, (one) => tx.named(one).some((other) => other !== id))
    : node.name
  const changed = { ...node, type, name, config: fitting(node.config, type) }
  tx.putNode(changed)
  const ways = handlesOf(changed)
  const [first] = ways.filter((handle) => handle !== 'body')
  for (const edge of tx.edgesFrom(id)) {
    if (ways.includes(edge.sourceHandle)) continue
    tx.removeEdge(edge.id)
    if (first !== undefined) putEdgeBetween(tx, { source: id, handle: first }, edge.target)
  }
}

/** The settings of a config that another type has and accepts. */
function fitting(config: Record<string, unknown>, type: string): Record<string, unknown> {
  const definition = NODE_TYPES.get(type)
  const keys = definition && 'properties' in definition.schema ? definition.schema.properties : {}
  let kept: Record<string, unknown> = {}
  const faults = new Set(definition?.check(kept).map(({ path, message }) => `${path} ${message}`))
  for (const [key, value] of Object.entries(config)) {
    if (!Object.hasOwn(keys as object, key)) continue
    const tried = { ...kept, [key]: value }
    const isAccepted = definition?.check(tried).every(({ path, message }) => {
      return faults.has(`${path} ${message}`) || (path !== key && !path.startsWith(`${key}.`))
    })
    if (isAccepted) kept = tried
  }
  return kept
}

/** Changes the id of a step; edges, the steps of a Loop and all tokens are updated. Schedules restart, and past runs keep the previous id. */
export function changeId(tx: Transaction, id: string, newId: string, isRetired: IsRetired): void {
  const node = tx.requireNode(id)
  if (newId === id) return
  if (!isStepId(newId)) throw new CommandRefused('invalid_id')
  if (tx.node(newId) !== null || isRetired(newId)) throw new CommandRefused('id_taken')
  const ids = new Map([[id, newId]])
  const edges = tx.edges().filter(({ source, target }) => source === id || target === id)
  const nextEdges = new Map(edges.map((edge) => [edge.id, tx.nextOf('edge', edge.id)]))
  const next = tx.nextOf('node', id)
  for (const edge of edges) tx.removeEdge(edge.id)
  tx.removeNode(id, newId)
  tx.putNode({ ...node, id: newId }, next, id)
  for (const child of tx.childrenOf(id)) tx.putNode({ ...child, parentId: newId })
  const edgeIds = new Map<string, string>()
  // In reverse, so that the next part of each one already exists.
  for (const edge of edges.toReversed()) {
    const source = ids.get(edge.source) ?? edge.source
    const target = ids.get(edge.target) ?? edge.target
    const { sourceHandle } = edge
    const own = edgeIdOf(source, sourceHandle, target)
    const edgeId = tx.edge(own) === null ? own : edge.id
    edgeIds.set(edge.id, edgeId)
    const behind = nextEdges.get(edge.id) ?? null
    tx.putEdge({ id: edgeId, source, sourceHandle, target }, behind && (edgeIds.get(behind) ?? behind))
  }
  for (const one of tx.nodes()) {
    const changed = rewired(one, ids)
    if (changed !== one) tx.putNode(changed)
  }
}
