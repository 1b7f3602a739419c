import type { RunState } from '@troupe/graph'

/** Why a run waits for reviewers, as polling shows it: `waiting for 1 review: "Approve refund"`. */
export function waitingReason({ frames }: RunState): string {
  const names = [...frames.values()].flatMap((frame) =>
    frame.level.nodes.filter((node) => frame.status[node.slot] === 'waiting').map((node) => `"${node.name}"`),
  )
  const reviews = names.length === 1 ? '1 review' : `${names.length} reviews`
  return `waiting for ${reviews}: ${names.slice(0, 5).join(', ')}`
}
