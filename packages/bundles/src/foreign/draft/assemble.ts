import { isShown, jsonBytes, oneLine, shortened } from '@troupe/contract'
import { edgeIdOf, freshName, freshStepId } from '@troupe/editor/ids/step-ids'
import { type Graph, type GraphNode, MAX_EDGES, MAX_GRAPH_BYTES, MAX_NODES } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { Conversion } from './conversion.ts'
import { limitedText } from './limited.ts'
import type { ImportReport, ImportRow } from './report.ts'

/** Maximum characters of the name of a step or a workflow. */
export const MAX_NAME = 128
const MAX_REMARKS = 100
/**
 * Exports are laid out from left to right, for nodes of other sizes. Without stored positions, the canvas arranges the
 * steps from top to bottom, as it does for all drafts.
 */
const UNPLACED = { x: 0, y: 0 }

/** A node of an export, with the fields that determine its place in the flow. */
export interface PlacedNode {
  key: string
  name: string
  type: string
  /** The node that becomes the Loop around it. */
  loop: string | null
}

/** A connection of an export. */
export interface SourceEdge {
  from: string
  /** The output of its source. */
  port: string
  to: string
}

/** Ids and names of steps, each used only once. */
export class Names {
  readonly #ids = new Set<string>()
  readonly #names = new Set<string>()

  /** An unused id and name. */
  take(wanted: string, type: string): { id: string; name: string } {
    const line = shortened(oneLine(wanted), MAX_NAME)
    const name = freshName(isShown(line) ? line : type, (one) => this.#names.has(one))
    const id = freshStepId(name, type, (one) => this.#ids.has(one))
    this.#names.add(name)
    this.#ids.add(id)
    return { id, name }
  }
}

/** The joined results of the parts of an export. */
export interface Assembled {
  graph: Graph
  report: ImportReport
}

/** An id and a name for the first step of each node, shared by tokens and the graph. */
export type FirstSteps = ReadonlyMap<string, { id: string; name: string }>

/** The draft of an export: steps, Notes and edges, and the report about each node. A string gives the reason for a refusal. */
export function assemble(source: {
  nodes: readonly PlacedNode[]
  edges: readonly SourceEdge[]
  conversions: ReadonlyMap<string, Conversion>
  first: FirstSteps
  names: Names
  report: ImportReport
}): Assembled | string {
  const { nodes, conversions, first, names, report } = source
  const steps: GraphNode[] = []
  const notes: GraphNode[] = []
  const stepIds = new Map<string, string[]>()
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const rowOf = new Map<string, ImportRow>()
  for (const node of nodes) {
    const conversion = conversions.get(node.key)
    if (!conversion) continue
    const around = loopAround(node, byKey, conversions)
    const parentId = around === undefined ? null : (first.get(around.key)?.id ?? null)
    const ids = conversion.steps.map(({ type, suffix, config }, index) => {
      const own = index === 0 ? first.get(node.key) : undefined
      const { id, name } = own ?? names.take(`${shortened(node.name, 100)}: ${suffix ?? index + 1}`, type)
      steps.push({
        id,
        type,
        name,
        parentId,
        position: { ...UNPLACED },
        config,
        ...(conversion.isDisabled && { disabled: true as const }),
      })
      return id
    })
    stepIds.set(node.key, ids)
    const noteIds: string[] = []
    if (conversion.note !== null) {
      const own = ids.length === 0 ? first.get(node.key) : undefined
      const { id, name } = own ?? names.take(`About ${shortened(node.name, 100)}`, 'note')
      notes.push({
        id,
        type: 'note',
        name,
        parentId,
        position: { ...UNPLACED },
        config: { markdown: conversion.note, color: conversion.outcome === 'note' ? 'blue' : 'yellow' },
      })
      noteIds.push(id)
    }
    const { outcome, choices, addedFor } = conversion
    if (addedFor !== undefined) {
      rowOf.get(addedFor)?.nodeIds.push(...ids, ...noteIds)
      continue
    }
    const remarks = [...conversion.remarks]
    const name = limitedText(node.name, MAX_NAME, 'name', remarks)
    const row: ImportRow = {
      name,
      type: shortened(node.type, MAX_NAME),
      outcome,
      nodeIds: [...ids, ...noteIds],
      remarks: someOf(remarks),
    }
    rowOf.set(node.key, row)
    report.rows.push(row)
    for (const choice of choices) report.choices.push({ ...choice, nodeId: ids[0] ?? null, name })
  }
  nameParts(source, rowOf, stepIds)
  const joined = join(source, steps, stepIds)
  const graph: Graph = { nodes: [...steps, ...notes], edges: joined }
  // One less than the maximum: a Manual trigger may be added.
  if (graph.nodes.length >= MAX_NODES) return `makes a draft of more than ${MAX_NODES - 1} steps and Notes`
  if (joined.length > MAX_EDGES) return `has more than ${MAX_EDGES} connections`
  if (jsonBytes(graph) > MAX_GRAPH_BYTES) return 'makes a draft of more than 4 MB'
  sayUnreached(graph, report)
  return { graph, report }
}

/** Distinct remarks; if there are too many, the last one counts the rest. */
function someOf(remarks: readonly string[]): string[] {
  const distinct = [...new Set(remarks)]
  const shown = distinct.slice(0, MAX_REMARKS).map((remark) => shortened(remark, 500))
  const more = distinct.length - shown.length
  return more > 0 ? [...shown, `There are ${more} more remarks like these.`] : shown
}

const NAMED = 10

/** Reports the steps that no trigger leads to. */
function sayUnreached({ nodes, edges }: Graph, report: ImportReport): void {
  const roleOf = ({ type }: GraphNode) => NODE_TYPES.get(type)?.role
  const reached = new Set(nodes.filter((node) => roleOf(node) === 'trigger').map(({ id }) => id))
  if (reached.size === 0) return
  const targets = new Map<string, string[]>()
  for (const { source, target } of edges) {
    const list = targets.get(source)
    if (list) list.push(target)
    else targets.set(source, [target])
  }
  // A Set that may grow while it is iterated.
  for (const id of reached) for (const target of targets.get(id) ?? []) reached.add(target)
  const left = nodes.filter((node) => roleOf(node) !== 'note' && !reached.has(node.id))
  if (left.length === 0) return
  const named = left
    .slice(0, NAMED)
    .map(({ name }) => `"${shortened(name, 60)}"`)
    .join(', ')
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : ''
  report.remarks.push(
    `No trigger leads to ${named}${more}. Connect or remove them: runs fail before their first step until then.`,
  )
}

/** The Loop around a node. A node that did not become a Loop has no body, so its inner nodes are placed in its own frame. */
function loopAround(
  node: PlacedNode,
  byKey: ReadonlyMap<string, PlacedNode>,
  conversions: ReadonlyMap<string, Conversion>,
): PlacedNode | undefined {
  let around = node.loop === null ? undefined : byKey.get(node.loop)
  while (around && conversions.get(around.key)?.steps[0]?.type !== 'loop') {
    around = around.loop === null ? undefined : byKey.get(around.loop)
  }
  return around
}

/** A part is reported with the steps of the node that it belongs to, directly or through other parts. */
function nameParts(
  { conversions }: Parameters<typeof assemble>[0],
  rowOf: ReadonlyMap<string, ImportRow>,
  stepIds: ReadonlyMap<string, string[]>,
): void {
  for (const [key, row] of rowOf) {
    const seen = new Set<string>()
    let at: string | undefined = key
    while (at !== undefined && !seen.has(at)) {
      seen.add(at)
      at = conversions.get(at)?.partOf
      if (at !== undefined && conversions.get(at)?.partOf === undefined) {
        row.nodeIds.push(...(stepIds.get(at) ?? []))
      }
    }
  }
}

function join(
  { nodes, edges, conversions, report }: Parameters<typeof assemble>[0],
  steps: readonly GraphNode[],
  stepIds: ReadonlyMap<string, string[]>,
): Graph['edges'] {
  const made = new Map<string, Graph['edges'][number]>()
  const byId = new Map(steps.map((step) => [step.id, step]))
  const nameOf = new Map(nodes.map(({ key, name }) => [key, shortened(name, MAX_NAME)]))
  const put = (source: string, sourceHandle: string, target: string) => {
    const id = edgeIdOf(source, sourceHandle, target)
    made.set(id, { id, source, sourceHandle, target })
  }
  for (const { key } of nodes) {
    const ids = stepIds.get(key) ?? []
    for (const { from, to } of conversions.get(key)?.inner ?? []) {
      const [source, target] = [ids[from.step], ids[to]]
      if (source !== undefined && target !== undefined) put(source, from.handle, target)
    }
  }
  for (const { from, port, to } of edges) {
    const lose = (reason: string) =>
      report.connections.push({ from: nameOf.get(from) ?? from, to: nameOf.get(to) ?? to, reason })
    const target = byId.get(stepIds.get(to)?.[conversions.get(to)?.entry ?? 0] ?? '')
    const conversion = conversions.get(from)
    const exits = conversion?.exits.get(port) ?? []
    if (!conversion?.steps.length || !target) lose('one of the two became a Note')
    else if (exits.length === 0) lose(conversion.lost?.get(port) ?? 'the output has no counterpart')
    else if (NODE_TYPES.get(target.type)?.role === 'trigger') lose('nothing leads to a trigger')
    else {
      for (const { step, handle } of exits) {
        const source = byId.get(stepIds.get(from)?.[step] ?? '')
        if (source && levelBehind(source, handle) === target.parentId) put(source.id, handle, target.id)
        else lose('it crosses the border of a Loop')
      }
    }
  }
  return [...made.values()]
}

function levelBehind(source: GraphNode, handle: string): string | null {
  return NODE_TYPES.get(source.type)?.role === 'loop' && handle === 'body' ? source.id : source.parentId
}
