import type { CompiledGraph } from '../compile/compiled-graph.ts'
import { jsonBytes } from '../model/json-bytes.ts'
import { applyResult, begin } from './apply-result.ts'
import { iterationPath, nodeKey } from './frame.ts'
import type { LoopRange, NodeResult } from './node-result.ts'
import { endIfDone } from './outcome.ts'
import { complete } from './propagate.ts'
import { continueLoop, settleActive, startIteration } from './repeat.ts'
import type { RunStart } from './run-start.ts'
import type { Entry, LoopState, RunState } from './run-state.ts'
import { startGraphRun } from './start-graph-run.ts'

/** A node of a frame, as it is stored. Ready, skipped and pending nodes follow from the others. */
export interface NodeRecord {
  path: string
  nodeId: string
  status: 'running' | 'waiting' | 'completed' | 'failed'
  /** Of a completed node. May be left out for a Loop, whose output is its iterations. */
  output?: unknown
  /** Of a completed node; `["out"]`, or `["done"]` for a Loop, unless said. */
  handles?: readonly string[]
  /** Of a Loop that was opened. */
  range?: LoopRange
  /** Of a failed node. */
  message?: string
}

/** The output of one finished iteration; `path` is the frame of the Loop. */
export interface IterationRecord {
  path: string
  nodeId: string
  index: number
  output: unknown
}

/** A run as plain JSON, the same shape as its rows. What is in frames that have ended may be left out; it is passed over. */
export interface StoredGraphRun {
  variables: Readonly<Record<string, unknown>>
  nodes: readonly NodeRecord[]
  iterations: readonly IterationRecord[]
  /** Of all outputs that are stored, as JSON: also of what may be left out here. */
  storedBytes: number
}

/** Every frame in which something was stored, those around it included. */
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
 * Begins a run again and applies what was stored, so that it stands where it stood: what was running is ready once
 * more, what is open for people waits. A `while` Loop of whose open iteration nothing was stored asks for its condition
 * again. `takeChanges` then tells only what is new. `start` and `options` are those of the first time.
 */
export function replayGraphRun(
  graph: CompiledGraph,
  start: RunStart,
  record: StoredGraphRun,
  options: { ceiling?: number } = {},
): RunState {
  const run = startGraphRun(graph, start, options)
  run.isReplaying = true
  const rows = new Map(record.nodes.map((row) => [nodeKey(row.path, row.nodeId), row]))
  const iterations = iterationsIn(record)
  const opened = framesIn(record)
  for (const [name, value] of Object.entries(record.variables)) run.variables.set(name, value)

  const kept: Entry[] = []
  for (let entry = run.ready.shift(); entry; entry = run.ready.shift()) {
    const { frame, node } = entry
    const key = nodeKey(frame.path, node.id)
    const row = rows.get(key)
    if (entry.iteration !== null && opened.has(iterationPath(frame, node, entry.iteration))) {
      const state = frame.loops.get(node)
      if (state && startIteration(run, frame, node, state)) continueLoop(run, frame, node, state)
    } else if (entry.iteration !== null || !row || (row.status === 'running' && !row.range)) {
      kept.push(entry)
    } else {
      replay(run, entry, row, iterations.get(key) ?? [])
    }
  }
  run.ready.push(...kept)
  run.ready.sort((a, b) => a.node.order - b.node.order)
  run.isReplaying = false
  run.storedBytes = record.storedBytes
  endIfDone(run)
  run.changes = []
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
