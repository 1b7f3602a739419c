import type { FlowNode } from '../compile/compiled-graph.ts'
import { enqueue } from './ready-queue.ts'
import type { Frame, RunState } from './run-state.ts'

/**
 * Dead-path elimination. The outgoing edges of a settled node become taken or dead. A node whose incoming edges are all
 * known becomes ready when at least one is taken, else skipped, which makes its outgoing edges dead in turn.
 */
export function propagate(run: RunState, frame: Frame, settled: FlowNode): void {
  const stack = [settled]
  for (let node = stack.pop(); node; node = stack.pop()) {
    const handles = frame.handles[node.slot]
    for (const { handle, target } of node.out) {
      const { slot } = target
      if (handles?.includes(handle)) frame.taken[slot] = true
      const unknown = (frame.unknown[slot] ?? 0) - 1
      frame.unknown[slot] = unknown
      if (unknown > 0) continue
      if (frame.taken[slot]) enqueue(run, frame, target)
      else if (run.test?.isIn(frame.path, target) !== false) {
        skip(run, frame, target)
        stack.push(target)
      }
    }
  }
}

/** Marks a node as skipped; its edges are left to `propagate`. */
export function skip(run: RunState, frame: Frame, node: FlowNode): void {
  frame.status[node.slot] = 'skipped'
  run.changes.push({ kind: 'node', path: frame.path, nodeId: node.id, status: 'skipped' })
}

/**
 * Settles a node as completed, without propagating to its successors.
 *
 * @param bytes Of the output as JSON; 0 for a Loop, whose iterations are counted.
 * @param isSeeded Whether it took a seed, and was not executed.
 */
export function complete(
  run: RunState,
  frame: Frame,
  node: FlowNode,
  output: unknown,
  handles: readonly string[],
  bytes: number,
  isSeeded = false,
): void {
  run.storedBytes += bytes
  frame.status[node.slot] = 'completed'
  frame.outputs[node.slot] = output
  frame.handles[node.slot] = handles
  const at = { kind: 'node', path: frame.path, nodeId: node.id } as const
  run.changes.push({ ...at, status: 'completed', output, handles, bytes, ...(isSeeded && { isSeeded }) })
}
