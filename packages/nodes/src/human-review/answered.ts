import { deciderName } from '@troupe/contract'
import type { FlowNode, NodeResult } from '@troupe/graph'
import type { ReviewAnswer } from '@troupe/workflows/ports'
import { isObject } from '../definition/fill-defaults.ts'

/** `3 days`, in the unit of the config. */
function deadlineText({ timeout }: Record<string, unknown>): string {
  if (!isObject(timeout)) return 'its deadline'
  const { after, unit } = timeout
  return `${after} ${after === 1 ? String(unit).slice(0, -1) : unit}`
}

function sentence(node: FlowNode, { path, decision, reviewedBy, comment }: ReviewAnswer): string {
  const review = `Review ${node.id} ("${node.name}")${path === '' ? '' : ` in ${path}`}`
  if (decision === 'timeout') return `${review} timed out after ${deadlineText(node.config)}`
  return `${review} was rejected by ${reviewedBy ? deciderName(reviewedBy) : 'somebody'}${comment === null ? '' : `: ${comment}`}`
}

/**
 * The review's answer as the output of its node. The decision selects the handle; a rejection or timeout without an
 * outgoing edge fails the run, an approval without one ends its path.
 */
export function answeredReview(node: FlowNode, answer: ReviewAnswer): NodeResult {
  const { decision, comment, data, reviewedBy, reviewedAt } = answer
  const leadsOn = node.out.some(({ handle }) => handle === decision)
  if (decision !== 'approved' && !leadsOn) {
    const text = sentence(node, answer)
    return { status: 'failed', message: text, sentence: text }
  }
  const output = { decision, comment, data, reviewedBy, reviewedAt }
  return { status: 'completed', output, handles: [decision] }
}
