import type { FlowNode } from './compiled-graph.ts'

/**
 * Remaining steps. Edge visits are shared by all analyses of one graph, which are fast on typical graphs but quadratic
 * on the largest. Once the budget is used up, they report no problem, and `validateGraph` says that the graph was not
 * checked completely.
 */
export interface Effort {
  left: number
}

/** Enough for thousands of nodes; about a second. */
export const FULL_EFFORT = 5_000_000

/** Charges the edges of a node. False when the budget is used up. */
export function spend(effort: Effort, node: FlowNode): boolean {
  return charge(effort, 1 + node.out.length + node.incoming.length)
}

/** Charges a number of steps. False when the budget is used up. */
export function charge(effort: Effort, steps: number): boolean {
  effort.left -= steps
  return effort.left > 0
}
