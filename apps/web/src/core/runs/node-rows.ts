import type { RunDetail, TracedNode } from '@troupe/contract/builder'
import { isEnded } from './run-state.ts'

/** A row of a workflow's trace: the run itself, a node, or the beginning of an iteration. */
export interface NodeRow {
  id: string
  kind: 'run' | 'node' | 'iteration'
  depth: number
  /** The name of the node; of an iteration its path: `loop1[3]`. */
  title: string
  node: TracedNode | null
  /** The status of the run or the node; an iteration has none. */
  status: string | null
  /** Milliseconds from the first start; null: it has not started. */
  startMs: number | null
  durationMs: number | null
}

const depthOf = (path: string) => (path === '' ? 0 : path.split('/').length)

/** The data of a partially loaded run. */
interface PartOfRun {
  /** When the run started, in milliseconds since the epoch. */
  originMs: number
}

/**
 * Nodes in the order of the run. Those of an iteration are together and below a line that names it, at the place of the
 * first of them; iterations of one loop may have run side by side.
 *
 * @param part needed for times if nodes are missing, because the durations of iterations are then unknown; null: all
 * nodes are loaded
 */
export function nodeRows(nodes: readonly TracedNode[], part: PartOfRun | null = null): NodeRow[] {
  const started = nodes.flatMap(({ startedMs }) => (startedMs === null ? [] : [startedMs]))
  const zero = started.reduce((least, at) => Math.min(least, at), part?.originMs ?? Number.POSITIVE_INFINITY)
  const frames = Map.groupBy(nodes, ({ path }) => path)
  const iterations = Map.groupBy(frames.keys(), loopOf)
  const rows: NodeRow[] = []
  const shown = new Set<string>()
  const show = (path: string) => {
    if (shown.has(path)) return
    shown.add(path)
    const inside = frames.get(path) ?? []
    if (path !== '') rows.push(iterationRow(path, part === null ? inside : [], zero))
    for (const node of inside) {
      rows.push(nodeRow(node, zero))
      for (const inner of iterations.get(placeOf(path, node.nodeId)) ?? []) show(inner)
    }
  }
  show('')
  // Frames whose loop is not among these nodes.
  for (const path of frames.keys()) show(path)
  return rows
}

/**
 * The rows below the one for the whole run; none if there are none. A loop around a failed step is never ended on its own: it
 * ended with the run.
 */
export function withRoot(
  rows: readonly NodeRow[],
  { runId, entity, status, durationMs }: Pick<RunDetail, 'runId' | 'entity' | 'status' | 'durationMs'>,
): readonly NodeRow[] {
  if (rows.length === 0) return rows
  return [
    {
      id: runId,
      kind: 'run',
      depth: 0,
      title: entity.name ?? '–',
      node: null,
      status,
      startMs: 0,
      durationMs,
    },
    ...rows.map((row) => ({
      ...row,
      depth: row.depth + 1,
      status: row.status === 'running' && isEnded(status) ? status : row.status,
    })),
  ]
}

/**
 * The length of the timeline of a run, in milliseconds and at least 1: to the end of its last node, and of the run itself, which also
 * stores its output.
 *
 * @param runMs how long the run took, or has taken until now; null: unknown
 */
export function timelineMs(rows: readonly NodeRow[], runMs: number | null): number {
  return rows.reduce(
    (most, { startMs, durationMs }) => Math.max(most, (startMs ?? 0) + (durationMs ?? 0)),
    Math.max(1, runMs ?? 0),
  )
}

/** The rows of failed nodes, with the iterations that they are in; times stay those of the whole run. */
export function failedRows(rows: readonly NodeRow[]): NodeRow[] {
  const isFailed = ({ node }: NodeRow) => node?.status === 'failed'
  const frames = new Set(rows.filter(isFailed).flatMap(({ node }) => framesOf(node?.path ?? '')))
  return rows.filter((row) => (row.kind === 'iteration' ? frames.has(row.title) : isFailed(row)))
}

/** A frame and those around it: `loop1[3]/inner[0]` is in `loop1[3]`. */
function framesOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

const placeOf = (frame: string, nodeId: string) => (frame === '' ? nodeId : `${frame}/${nodeId}`)

/** The place of the loop of an iteration: `loop1[3]/inner[0]` is one of `loop1[3]/inner`. */
function loopOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('[')))
}

function nodeRow(node: TracedNode, zero: number): NodeRow {
  const { nodeId, path, name, startedMs, completedMs } = node
  return {
    ...{ id: `${path}/${nodeId}`, kind: 'node', depth: depthOf(path), title: name, node },
    status: node.status,
    startMs: startedMs === null ? null : startedMs - zero,
    durationMs: startedMs === null || completedMs === null ? null : completedMs - startedMs,
  }
}

function iterationRow(path: string, nodes: readonly TracedNode[], zero: number): NodeRow {
  const began = nodes.reduce(
    (least, { startedMs }) => Math.min(least, startedMs ?? Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  )
  const ended = nodes.reduce((most, { completedMs }) => Math.max(most, completedMs ?? 0), 0)
  return {
    ...{ id: `${path}/`, kind: 'iteration', depth: depthOf(path) - 1, title: path, node: null },
    status: null,
    startMs: Number.isFinite(began) ? began - zero : null,
    durationMs: Number.isFinite(began) && ended >= began ? ended - began : null,
  }
}
