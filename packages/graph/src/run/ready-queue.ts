import type { FlowNode } from '../compile/compiled-graph.ts'
import type { Entry, Frame, RunState } from './run-state.ts'

/**
 * Inserts a node into the ready queue in the order of the graph. Iterations run sequentially, so a node is ready in
 * at most one frame. `iteration` is set when a Loop, which is already active, requests its condition. In a test run, nodes
 * outside its scope stay pending. Nodes with a seed and disabled nodes are queued apart.
 */
export function enqueue(run: RunState, frame: Frame, node: FlowNode, iteration: number | null = null): void {
  if (iteration === null) {
    if (run.test?.isIn(frame.path, node) === false) return
    frame.status[node.slot] = 'ready'
    frame.active += 1
    run.changes.push({ kind: 'node', path: frame.path, nodeId: node.id, status: 'ready' })
  }
  queue(run, { frame, node, iteration })
}

/** Queues a ready entry without announcing it. While stored results are applied, rows decide instead of seeds. */
export function queue(run: RunState, entry: Entry): void {
  const { frame, node, iteration } = entry
  if (iteration === null && !run.isReplaying) {
    const isSupplied = run.test !== null && run.test.decide(frame.path, node).kind !== 'execute'
    if (node.isDisabled || isSupplied) {
      run.supplied.push(entry)
      return
    }
  }
  const { ready } = run
  let low = 0
  let high = ready.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ready[middle]?.node.order ?? 0) < node.order) low = middle + 1
    else high = middle
  }
  ready.splice(low, 0, entry)
}
