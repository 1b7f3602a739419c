import type { FlowNode } from '../compile/compiled-graph.ts'
import type { Frame, RunState } from './run-state.ts'

/**
 * The output of a frame, from its completed nodes without any outgoing edge: the output of a single one, an object by
 * node id for several, null for none. `stopped` is the Loop that stopped the run; it counts even with a `done` edge. In a test run,
 * edges out of its scope do not count.
 */
export function frameOutput({ test }: RunState, frame: Frame, stopped: FlowNode | null = null): unknown {
  const isEnd = (node: FlowNode) =>
    node.out.length === 0 ||
    node === stopped ||
    (test !== null && !node.out.some(({ target }) => test.isIn(frame.path, target)))
  const ends = frame.level.nodes.filter((node) => frame.status[node.slot] === 'completed' && isEnd(node))
  const [first, ...others] = ends
  if (!first) return null
  if (others.length === 0) return frame.outputs[first.slot]
  return Object.fromEntries(ends.map((node) => [node.id, frame.outputs[node.slot]]))
}
