import type { FlowNode, NodeResult } from '@troupe/graph'
import type { ReviewAnswer } from '@troupe/workflows/ports'
import { isObject } from '../definition/fill-defaults.ts'

/** `3 days`, as the config says it. */
function deadlineText({ timeout }: Record<string, unknown>): string {
  if (!isObject(timeout)) return 'its deadline'
  const { after, unit } = timeout
  return `${after} ${after === 1 ? String(unit).slice(0, -1) : unit}`
}

/** A name that came with a link is what somebody wrote, and nobody has proved it. */
function nameOf(actor: ReviewAnswer['reviewedBy']): string {
  if (actor === null) return 'somebody'
  return actor.type === 'link' ? `${actor.name} (by the link)` : actor.name
}

function sentence(node: FlowNode, { path, decision, reviewedBy, comment }: ReviewAnswer): string {
  const review = `Review ${node.id} ("${node.name}")${path === '' ? '' : ` in ${path}`}`
  if (decision === 'timeout') return `${review} timed out after ${deadlineText(node.config)}`
  return `${review} was rejected by ${nameOf(reviewedBy)}${comment === null ? '' : `: ${comment}`}`
}

/**
 * What people said, as the output of their node. The decision is the handle; a rejection or a timeout that leads nowhere
 * fails the run, an approval that leads nowhere ends its path.
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
