import type { FlowNode, RunState } from '@troupe/graph'

const MOST_NAMES = 5

function counted(nodes: readonly FlowNode[], noun: string): string | null {
  if (nodes.length === 0) return null
  const names = nodes.slice(0, MOST_NAMES).map(({ name }) => `"${name}"`)
  return `${nodes.length === 1 ? `1 ${noun}` : `${nodes.length} ${noun}s`}: ${names.join(', ')}`
}

/**
 * The reason, for polling, that a run waits for people: `waiting for 1 review: "Approve refund"`, and for a node whose
 * agent or team has a call of a tool that needs approval `waiting for 1 approval: "Refund agent"`.
 */
export function waitingReason({ frames }: RunState): string {
  const waiting = [...frames.values()].flatMap((frame) =>
    frame.level.nodes.filter((node) => frame.status[node.slot] === 'waiting'),
  )
  const { review = [], approval = [] } = Object.groupBy(waiting, ({ type }) =>
    type === 'human-review' ? 'review' : 'approval',
  )
  const parts = [counted(review, 'review'), counted(approval, 'approval')]
  return `waiting for ${parts.filter((part) => part !== null).join('; ')}`
}
