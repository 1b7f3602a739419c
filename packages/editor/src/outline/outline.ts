import type { Graph, GraphNode } from '@troupe/graph'
import {
  EXIT,
  type FramesOfGraph,
  frameOf,
  framesOfGraph,
  type NodeShape,
  type OutlineFrame,
} from './frame.ts'

/** A node in execution order; below it the body of a Loop and its branches. */
export interface OutlineStep {
  kind: 'step'
  id: string
  node: GraphNode
  children: OutlineRow[]
  /** With several triggers: the first one, each other one, and their common followers. null: any other step. */
  start: 'first' | 'or' | 'joined' | null
}

/** The rows behind one handle of a step, or behind one of several parallel edges. */
export interface OutlineBranch {
  kind: 'branch'
  id: string
  nodeId: string
  /** null: one of several parallel edges. */
  handle: string | null
  /** Where an empty branch leads: to the follower of the step, or nowhere. */
  leads: 'on' | 'nowhere'
  children: OutlineRow[]
}

/** "Goes on at Merge": a reference to a node listed elsewhere. */
export interface OutlineReference {
  kind: 'reference'
  id: string
  target: GraphNode
}

export type OutlineRow = OutlineStep | OutlineBranch | OutlineReference

/** A graph as a list of steps. */
export interface Outline {
  rows: OutlineRow[]
  /** Unreachable nodes: they have no incoming path, or wait for themselves. */
  unreached: GraphNode[]
  notes: GraphNode[]
}

/** Deeper branches continue at the end of their frame, behind a reference. */
const MOST_DEPTH = 12
/** The steps of deeper bodies are listed separately: no publishable graph has them, and each level is a level of recursion. */
const MOST_BODIES = 50

/** Builds the outline of a graph: triggers first, then the steps in order; branches and bodies of Loops below their step. */
export function outlineOf(graph: Graph, shapeOf: (node: GraphNode) => NodeShape): Outline {
  const writer = new OutlineWriter(graph, shapeOf)
  const triggers = graph.nodes.filter((node) => node.parentId === null && shapeOf(node).role === 'trigger')
  const rows = writer.frame(null, triggers, 0)
  if (triggers.length > 1) markStarts(rows, new Set(triggers.map(({ id }) => id)))
  const rest = graph.nodes.filter(({ id }) => !writer.isPlaced(id))
  const isNote = (node: GraphNode) => shapeOf(node).role === 'note'
  return { rows, notes: rest.filter(isNote), unreached: rest.filter((node) => !isNote(node)) }
}

function markStarts(rows: readonly OutlineRow[], triggers: ReadonlySet<string>): void {
  const steps = rows.filter((row) => row.kind === 'step')
  for (const [index, step] of steps.entries()) {
    if (triggers.has(step.id)) step.start = index === 0 ? 'first' : 'or'
    else if (index > 0 && triggers.has(steps[index - 1]?.id ?? '')) step.start = 'joined'
  }
}

/** All steps of an outline, in reading order. */
export function stepsIn(rows: readonly OutlineRow[]): GraphNode[] {
  return rows.flatMap((row) => {
    if (row.kind === 'reference') return []
    return [...(row.kind === 'step' ? [row.node] : []), ...stepsIn(row.children)]
  })
}

/** The last step that another one can follow, outside branches and Loops; null if there is none. */
export function lastStep(
  rows: readonly OutlineRow[],
  leadsOn: (node: GraphNode) => boolean,
): GraphNode | null {
  return rows.flatMap((row) => (row.kind === 'step' && leadsOn(row.node) ? [row.node] : [])).at(-1) ?? null
}

class OutlineWriter {
  readonly #frames: FramesOfGraph
  readonly #shapeOf: (node: GraphNode) => NodeShape
  readonly #nodes: ReadonlyMap<string, GraphNode>
  readonly #placed = new Set<string>()
  #references = 0
  /** The nesting depth of Loops around the current step. */
  #bodies = 0

  constructor(graph: Graph, shapeOf: (node: GraphNode) => NodeShape) {
    this.#frames = framesOfGraph(graph)
    this.#shapeOf = shapeOf
    this.#nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  }

  isPlaced(id: string): boolean {
    return this.#placed.has(id)
  }

  /** The steps of the root, or of the body of a Loop. */
  frame(loopId: string | null, entries: readonly GraphNode[], depth: number): OutlineRow[] {
    if (this.#bodies > MOST_BODIES) return []
    this.#bodies += 1
    const rows = this.#rowsOf(loopId, entries, depth)
    this.#bodies -= 1
    return rows
  }

  #rowsOf(loopId: string | null, entries: readonly GraphNode[], around: number): OutlineRow[] {
    // The steps of a body are listed below it at any depth: behind a reference they would be processed again without end.
    const depth = Math.min(around, MOST_DEPTH)
    const frame = frameOf(this.#frames, loopId, entries, this.#shapeOf)
    const late: string[] = []
    const [first] = frame.entries
    const rows =
      frame.entries.length > 1
        ? this.#together(frame, depth, late)
        : this.#sequence(frame, first ?? EXIT, EXIT, depth, late)
    for (const id of late) {
      if (!this.#placed.has(id)) rows.push(...this.#sequence(frame, id, EXIT, depth, late))
    }
    return rows
  }

  /** With several entries, the steps of only one of them are below it, and the common ones follow them. */
  #together(frame: OutlineFrame, depth: number, late: string[]): OutlineRow[] {
    const join = frame.meetingOf(frame.entries)
    const rows = frame.entries.flatMap((id) => {
      if (id === join) return []
      const step = this.#step(frame, id, depth, late)
      if (!step) return []
      step.children.push(...this.#sequence(frame, frame.nextOf(id), join, depth + 1, late))
      return [step]
    })
    return [...rows, ...this.#sequence(frame, join, EXIT, depth, late)]
  }

  #sequence(frame: OutlineFrame, first: string, stop: string, depth: number, late: string[]): OutlineRow[] {
    const rows: OutlineRow[] = []
    let id = first
    while (id !== EXIT && id !== stop) {
      const isTooDeep = depth > MOST_DEPTH
      if (isTooDeep) late.push(id)
      const step = isTooDeep || this.#placed.has(id) ? null : this.#step(frame, id, depth, late)
      if (!step) return [...rows, ...this.#reference(id)]
      rows.push(step)
      id = frame.nextOf(id)
    }
    return rows
  }

  #reference(id: string): OutlineReference[] {
    const target = this.#nodes.get(id)
    this.#references += 1
    return target ? [{ kind: 'reference', id: `reference ${this.#references}`, target }] : []
  }

  #step(frame: OutlineFrame, id: string, depth: number, late: string[]): OutlineStep | null {
    const node = this.#nodes.get(id)
    if (!node || this.#placed.has(id)) return null
    this.#placed.add(id)
    const children: OutlineRow[] = []
    if (this.#shapeOf(node).role === 'loop') {
      const entries = (this.#frames.edgesFrom.get(id) ?? [])
        .filter(({ sourceHandle }) => sourceHandle === 'body')
        .flatMap(({ target }) => this.#nodes.get(target) ?? [])
      children.push(...this.frame(id, entries, depth + 1))
    }
    const join = frame.nextOf(id)
    for (const { handle, targets } of frame.branchesOf(id)) {
      const ways = targets.map((target) => this.#sequence(frame, target, join, depth + 1, late))
      const [only = []] = ways
      const rows = ways.length > 1 ? ways.map((way, index) => this.#way(id, handle, index, way)) : only
      children.push(...(handle === null ? rows : [branch(id, handle, rows, targets.includes(join))]))
    }
    return { kind: 'step', id, node, children, start: null }
  }

  #way(nodeId: string, handle: string | null, index: number, children: OutlineRow[]): OutlineBranch {
    return {
      kind: 'branch',
      id: `${nodeId} ${handle ?? ''} ${index}`,
      nodeId,
      handle: null,
      leads: 'on',
      children,
    }
  }
}

function branch(nodeId: string, handle: string, children: OutlineRow[], isOn: boolean): OutlineBranch {
  return {
    kind: 'branch',
    id: `${nodeId} ${handle}`,
    nodeId,
    handle,
    leads: isOn ? 'on' : 'nowhere',
    children,
  }
}

/** The first `most` rows of an outline, in reading order, and the number of omitted rows. */
export function firstRows(rows: readonly OutlineRow[], most: number): { rows: OutlineRow[]; left: number } {
  let room = most
  let left = 0
  const cut = (list: readonly OutlineRow[]): OutlineRow[] =>
    list.flatMap((row) => {
      room -= 1
      if (room < 0) left += 1
      const isShown = room >= 0
      const shown = row.kind === 'reference' ? row : { ...row, children: cut(row.children) }
      return isShown ? [shown] : []
    })
  return { rows: cut(rows), left }
}
