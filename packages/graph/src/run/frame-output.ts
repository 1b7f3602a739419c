import type { FlowNode } from '../compile/compiled-graph.ts'
import type { Frame } from './run-state.ts'

/**
 * The output of a frame, from its completed nodes without any outgoing edge: the output of a single one, an object by
 * node id for several, null for none. `stopped` is the Loop that stopped the run; it counts even with a `done` edge.
 */
export function frameOutput(frame: Frame, stopped: FlowNode | null = null): unknown {
  const ends = frame.level.nodes.filter(
    (node) => frame.status[node.slot] === 'completed' && (node.out.length === 0 || node === stopped),
  )
  const [first, ...others] = ends
  if (!first) return null
  if (others.length === 0) return frame.outputs[first.slot]
  return Object.fromEntries(ends.map((node) => [node.id, frame.outputs[node.slot]]))
}
