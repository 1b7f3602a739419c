import type { FlowNode } from './compiled-graph.ts'

/**
 * Edges that the analyses of one graph may still look at, all together. They are quick on graphs that people draw and
 * quadratic on the largest ones; when this is used up they say that nothing is wrong.
 */
export interface Effort {
  left: number
}

/** Enough for thousands of nodes; about a second. */
export const FULL_EFFORT = 5_000_000

/** Counts the edges of a node. False when the effort is used up. */
export function spend(effort: Effort, node: FlowNode): boolean {
  effort.left -= 1 + node.out.length + node.incoming.length
  return effort.left > 0
}
