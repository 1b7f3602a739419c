import type { FlowNode } from '../compile/compiled-graph.ts'
import type { Frame } from './run-state.ts'

/**
 * The output of a frame: of its completed nodes without an outgoing edge on any handle, one gives its own output, several
 * an object by node id, none null. `stopped` is the Loop at which the run was stopped; it counts even with a `done` edge.
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
