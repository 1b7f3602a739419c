import type { FlowNode } from '../compile/compiled-graph.ts'
import type { Frame, RunState } from './run-state.ts'

/**
 * Inserts a node into the ready queue in the order of the graph. Iterations run sequentially, so a node is ready in
 * at most one frame. `iteration` is set when a Loop, which is already active, requests its condition.
 */
export function enqueue(run: RunState, frame: Frame, node: FlowNode, iteration: number | null = null): void {
  if (iteration === null) {
    frame.status[node.slot] = 'ready'
    frame.active += 1
    run.changes.push({ kind: 'node', path: frame.path, nodeId: node.id, status: 'ready' })
  }
  const { ready } = run
  let low = 0
  let high = ready.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ready[middle]?.node.order ?? 0) < node.order) low = middle + 1
    else high = middle
  }
  ready.splice(low, 0, { frame, node, iteration })
}
