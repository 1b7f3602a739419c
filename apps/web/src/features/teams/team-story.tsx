import type { AgentId, IdText, TeamConfig, TeamId } from '@troupe/contract'
import { Eye, Play, Square } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { teamWords } from '../../core/messages/en/teams/teams.ts'
import { modeStory } from '../../core/teams/mode-story.ts'
import { StorySteps } from '../../parts/team-diagram/story-steps.tsx'
import { TeamDiagram } from '../../parts/team-diagram/team-diagram.tsx'
import { usePlayback } from '../../parts/team-diagram/use-playback.ts'
import { RecentRuns } from './recent-runs.tsx'

const words = teamPageWords.story

export interface TeamStoryProps {
  teamId: IdText<TeamId>
  config: TeamConfig
  nameOf(agentId: IdText<AgentId>): string
  /** The reason why the user may not see prompts; null: allowed. */
  refusal: string | null
  onShowPrompts(): void
}

/** The animated diagram of a run with the current settings of the team. */
export function TeamStory({ teamId, config, nameOf, refusal, onShowPrompts }: TeamStoryProps) {
  const story = useMemo(
    () => modeStory(config, { lead: teamPageWords.lead.managedName, agent: nameOf }),
    [config, nameOf],
  )
  const { activeStep, isPlaying, point, toggle } = usePlayback(story.steps.map(({ id }) => id))
  return (
    <Section
      title={words.title}
      detail={words.detail(teamWords.modes[config.mode])}
      actions={
        <>
          <Button
            size="small"
            emphasis="quiet"
            icon={isPlaying ? <Square size={14} /> : <Play size={14} />}
            onPress={toggle}
          >
            {isPlaying ? words.stop : words.play}
          </Button>
          <RefusableButton
            refusal={refusal}
            size="small"
            emphasis="quiet"
            icon={<Eye size={14} />}
            onPress={onShowPrompts}
          >
            {words.prompts}
          </RefusableButton>
        </>
      }
    >
      <Card>
        <TeamDiagram story={story} activeStep={activeStep} onPoint={point} />
        <StorySteps story={story} activeStep={activeStep} onPoint={point} />
        <RecentRuns teamId={teamId} />
      </Card>
    </Section>
  )
}
