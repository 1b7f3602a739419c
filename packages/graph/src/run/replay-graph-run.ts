import { jsonBytes } from '@troupe/contract'
import type { CompiledGraph } from '../compile/compiled-graph.ts'
import { applyResult, begin, takeSupplied } from './apply-result.ts'
import { nodeKey } from './frame.ts'
import { iterationPath } from './frame-path.ts'
import type { LoopRange, NodeResult } from './node-result.ts'
import { endIfDone } from './outcome.ts'
import { complete } from './propagate.ts'
import { queue } from './ready-queue.ts'
import { continueLoop, settleActive, startIteration } from './repeat.ts'
import type { RunStart } from './run-start.ts'
import type { Entry, LoopState, RunState } from './run-state.ts'
import { openGraphRun, type RunOptions } from './start-graph-run.ts'

/** The stored state of a node of a frame. Ready, skipped and pending nodes are derived and not stored. */
export interface NodeRecord {
  path: string
  nodeId: string
  status: 'running' | 'waiting' | 'completed' | 'failed'
  /** Set for a completed node. Optional for a Loop, whose output consists of its iterations. */
  output?: unknown
  /** Set for a completed node; defaults to `["out"]`, for a Loop to `["done"]`. */
  handles?: readonly string[]
  /** Set for an opened Loop. */
  range?: LoopRange
  /** Set for a failed node. */
  message?: string
}

/** The output of one finished iteration; `path` is the frame of the Loop. */
export interface IterationRecord {
  path: string
  nodeId: string
  index: number
  output: unknown
}

/** A run as plain JSON, in the shape of its rows. Contents of ended frames are ignored and may be omitted. */
export interface StoredGraphRun {
  variables: Readonly<Record<string, unknown>>
  nodes: readonly NodeRecord[]
  iterations: readonly IterationRecord[]
  /** JSON bytes of all stored outputs, including those omitted here. */
  storedBytes: number
}

/** Every frame with stored rows, and its enclosing frames. */
function framesIn(record: StoredGraphRun): Set<string> {
  const paths = new Set<string>()
  for (const { path } of [...record.nodes, ...record.iterations]) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) paths.add(path.slice(0, end))
  }
  return paths
}

function iterationsIn(record: StoredGraphRun): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const { path, nodeId, index, output } of record.iterations) {
    const key = nodeKey(path, nodeId)
    const outputs = found.get(key) ?? []
    outputs[index] = output
    found.set(key, outputs)
  }
  return found
}

/**
 * Restores a run from its stored results: nodes that were running are ready again, open reviews are waiting again. A
 * `while` Loop with nothing stored for its open iteration requests its condition again. `takeChanges` then returns only
 * new changes. `start` and `options` must be those of the original start.
 */
export function replayGraphRun(
  graph: CompiledGraph,
  start: RunStart,
  record: StoredGraphRun,
  options: RunOptions = {},
): RunState {
  const run = openGraphRun(graph, start, options, true)
  const rows = new Map(record.nodes.map((row) => [nodeKey(row.path, row.nodeId), row]))
  const iterations = iterationsIn(record)
  const opened = framesIn(record)
  for (const [name, value] of Object.entries(record.variables)) run.variables.set(name, value)

  const kept: Entry[] = []
  for (let entry = run.ready.shift(); entry; entry = run.ready.shift()) {
    const { frame, node } = entry
    const key = nodeKey(frame.path, node.id)
    const row = rows.get(key)
    if (entry.iteration !== null && opened.has(iterationPath(frame.path, node, entry.iteration))) {
      const state = frame.loops.get(node)
      if (state && startIteration(run, frame, node, state)) continueLoop(run, frame, node, state)
    } else if (entry.iteration !== null || !row || (row.status === 'running' && !row.range)) {
      kept.push(entry)
    } else {
      replay(run, entry, row, iterations.get(key) ?? [])
    }
  }
  run.isReplaying = false
  run.storedBytes = record.storedBytes
  run.changes = []
  for (const entry of kept) queue(run, entry)
  takeSupplied(run)
  endIfDone(run)
  return run
}

function replay(run: RunState, entry: Entry, row: NodeRecord, iterations: unknown[]): void {
  const { frame, node } = entry
  if (node.role === 'loop' && row.status === 'completed') {
    complete(run, frame, node, row.output ?? iterations, row.handles ?? ['done'], 0)
    settleActive(run, frame, node)
  } else if (node.role === 'loop' && row.range) {
    const bytes = jsonBytes(iterations)
    const state: LoopState = { range: row.range, index: iterations.length, outputs: iterations, bytes }
    frame.status[node.slot] = 'running'
    frame.loops.set(node, state)
    continueLoop(run, frame, node, state)
  } else {
    begin(run, entry)
    applyResult(run, row, resultOf(row))
  }
}

function resultOf(row: NodeRecord): NodeResult {
  if (row.status === 'completed') {
    return { status: 'completed', output: row.output ?? null, ...(row.handles && { handles: row.handles }) }
  }
  if (row.status === 'waiting') return { status: 'waiting' }
  return { status: 'failed', message: row.message ?? 'It failed before the run was resumed.' }
}
