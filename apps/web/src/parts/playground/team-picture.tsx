import type { AgentId, IdText, TeamConfig } from '@troupe/contract'
import { useMemo } from 'react'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { RunView } from '../../core/runs/run-view.ts'
import { modeStory } from '../../core/teams/mode-story.ts'
import { runPlaces } from '../../core/teams/run-places.ts'
import { TeamDiagram } from '../team-diagram/team-diagram.tsx'

export interface TeamPictureProps {
  run: RunView
  /** The configuration of the run. */
  config: TeamConfig
  /** Names of the saved members; a run provides those of the others. */
  names: Readonly<Record<string, string>>
}

/** The position of the message in the diagram of the team's mode: active members, and their tasks. */
export function TeamPicture({ run, config, names }: TeamPictureProps) {
  const { lanes, own, end } = run
  // Texts grow many times a second, and the diagram contains none of them.
  const key = JSON.stringify([
    lanes.map(({ agentId, agentName, state, task }) => [agentId, agentName, state, task]),
    [own.purpose, own.asked, own.answered],
    end?.kind,
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the picture changes with the key
  const picture = useMemo(() => {
    const nameOf = (agentId: IdText<AgentId>) =>
      names[agentId] ?? lanes.find((lane) => lane.agentId === agentId)?.agentName ?? ''
    const notes: Record<string, string> = {}
    for (const { agentId, task } of lanes) if (agentId !== null && task !== null) notes[agentId] = task
    const story = modeStory(config, { lead: words.lead, agent: nameOf })
    return { story, places: runPlaces(story, run), notes }
  }, [key, config, names])
  return <TeamDiagram {...picture} />
}
