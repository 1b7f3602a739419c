import type { AgentRunDetail, TeamCallPreview } from '@troupe/contract/builder'

type ModelCall = AgentRunDetail['calls'][number]

/** The labels of the lead's steps for each purpose; calls of members are labelled by their agent. */
const STEPS: Readonly<Record<string, string>> = {
  route: 'route:',
  broadcast: 'broadcast',
  plan: 'plan',
  chat: 'step:',
  review: 'review:',
  synthesis: 'synthesis',
  report: 'report',
}

/** Whether the prompt of a call can be rebuilt and shown; those of helpers such as summaries cannot. */
export function hasPreview({ purpose, memberRunId }: ModelCall): boolean {
  return memberRunId === null ? purpose in STEPS : purpose === 'chat'
}

/**
 * The previewed call of a team that corresponds to one of its run; null: the version has none. The lead's second and later calls of
 * a kind look alike, because answers of members are placeholders.
 *
 * @param place the number of earlier calls of the same kind by the lead, from 0
 */
export function previewOfCall(
  call: ModelCall,
  place: number,
  previews: readonly TeamCallPreview[],
): TeamCallPreview | null {
  if (call.memberRunId !== null) {
    return previews.find(({ who }) => who.role === 'member' && who.agentId === call.agentId) ?? null
  }
  const step = STEPS[call.purpose]
  const alike = previews.filter(
    ({ key, who }) => who.role === 'lead' && step !== undefined && key.startsWith(step),
  )
  return alike[place] ?? alike.at(-1) ?? null
}
