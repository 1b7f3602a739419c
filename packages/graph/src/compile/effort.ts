import type { FlowNode } from './compiled-graph.ts'

/**
 * Remaining edge visits, shared by all analyses of one graph. They are fast on typical graphs but quadratic on the
 * largest; once the budget is used up, they report no problem.
 */
export interface Effort {
  left: number
}

/** Enough for thousands of nodes; about a second. */
export const FULL_EFFORT = 5_000_000

/** Charges the edges of a node. False when the budget is used up. */
export function spend(effort: Effort, node: FlowNode): boolean {
  effort.left -= 1 + node.out.length + node.incoming.length
  return effort.left > 0
}
