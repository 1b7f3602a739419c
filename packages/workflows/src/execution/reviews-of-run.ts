import type { NodeResult, RunState } from '@troupe/graph'
import type { NewReview, ReviewAnswer } from '../ports/review-store.ts'
import type { NodeRuntime, WorkflowRows } from './dependencies.ts'

/** The review that a node requests when it starts to wait. */
export type AskedReview = Pick<NewReview, 'path' | 'nodeId' | 'request'>

/** The reviews that a commit opens: one for each node that starts to wait with it. */
export function reviewsToOpen(
  { reviews }: Pick<WorkflowRows, 'reviews'>,
  asked: readonly AskedReview[],
): NewReview[] {
  return asked.map((one) => ({ ...reviews.mint(), ...one }))
}

function isWaiting({ frames, graph }: RunState, { path, nodeId }: ReviewAnswer): boolean {
  const frame = frames.get(path)
  const node = graph.nodes.get(nodeId)
  return node !== undefined && frame?.level === node.level && frame.status[node.slot] === 'waiting'
}

/** The result that a decision gives its waiting node; null if the node no longer waits. */
export function resultOfAnswer(
  { handlers }: Pick<NodeRuntime, 'handlers'>,
  state: RunState,
  answer: ReviewAnswer,
): NodeResult | null {
  if (!isWaiting(state, answer)) return null
  const node = state.graph.nodes.get(answer.nodeId)
  if (!node) return null
  const handler = handlers.get(node.type)
  if (handler?.kind === 'effect' && handler.answered) return handler.answered(node, answer)
  return { status: 'failed', message: 'its type is not known to this version' }
}
