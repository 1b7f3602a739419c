import type { TeamConfig } from '@troupe/contract'
import { useMemo } from 'react'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { MemberLane, RunView } from '../../core/runs/run-view.ts'
import { modeStory } from '../../core/teams/mode-story.ts'
import { type MemberState, TeamDiagram } from '../team-diagram/team-diagram.tsx'

const STATES: Record<MemberLane['state'], MemberState> = {
  running: 'working',
  completed: 'done',
  failed: 'failed',
  cancelled: 'failed',
}

export interface TeamPictureProps {
  run: RunView
  /** As the run has it. */
  config: TeamConfig
  /** Names of the saved members; a run tells those of the others. */
  names: Readonly<Record<string, string>>
}

/** Where the message is in the picture of the team's mode: who works, and what was handed to whom. */
export function TeamPicture({ run, config, names }: TeamPictureProps) {
  const { lanes, own, end } = run
  // Texts grow many times a second, and the picture has none of them.
  const key = JSON.stringify([
    lanes.map(({ agentId, agentName, state, task }) => [agentId, agentName, state, task]),
    own.purpose !== null,
    end === null,
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when the picture changes
  const picture = useMemo(() => {
    const nameOf = (agentId: string) =>
      names[agentId] ?? lanes.find((lane) => lane.agentId === agentId)?.agentName ?? ''
    const states: Record<string, MemberState> = { lead: leadState(run) }
    const notes: Record<string, string> = {}
    for (const { agentId, state, task } of lanes) {
      if (agentId === null) continue
      states[agentId] = STATES[state]
      if (task !== null) notes[agentId] = task
    }
    return { story: modeStory(config, { lead: words.lead, agent: nameOf }), states, notes }
  }, [key, config, names])
  return <TeamDiagram {...picture} />
}

function leadState({ own, end, lanes }: RunView): MemberState {
  if (end !== null) return end.kind === 'completed' ? 'done' : 'failed'
  if (own.purpose !== null) return 'working'
  return lanes.length > 0 ? 'done' : 'waiting'
}
