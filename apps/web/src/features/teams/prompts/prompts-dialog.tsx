import type { TeamConfig, TeamToggle } from '@troupe/contract'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { FormLayout } from '../../../atoms/layout/page.tsx'
import { Dialog } from '../../../atoms/overlays/dialog.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import type { ConfigContent } from '../../../core/forms/config-content.ts'
import { teamSettingLabel } from '../../../core/labels/team-setting-labels.ts'
import { teamPageWords } from '../../../core/messages/en/teams/page.ts'
import { comparePrompts } from '../../../core/teams/compare-prompts.ts'
import { PromptCall } from './prompt-call.tsx'
import styles from './prompts.module.css'
import { type TeamPromptSides, useTeamPrompts } from './use-team-prompts.ts'

const words = teamPageWords.prompts

export interface PromptsDialogProps {
  teamId: string
  /** The edit as it is, saved or not. */
  content: ConfigContent
  config: TeamConfig
  /** Compared in both positions; null: the prompts as they are. */
  toggle: TeamToggle | null
  onClose(): void
}

type View = 'compare' | 'off' | 'on'

/** The exact prompts of a team; for a toggle, what turning it changes and costs. */
export function PromptsDialog({ teamId, content, config, toggle, onClose }: PromptsDialogProps) {
  const [message, setMessage] = useState<string>(words.sample)
  const prompts = useTeamPrompts({ teamId, content, config, toggle }, message)
  const { sides, failure, isPending } = prompts
  const title = toggle === null ? words.title : words.toggleTitle(teamSettingLabel(`toggles.${toggle}`))
  return (
    <Dialog isOpen onClose={onClose} title={title} width="wide">
      <p className={styles.quiet}>{words.detail}</p>
      <FormLayout label={words.message} onSubmit={() => message.trim() !== '' && prompts.ask(message)}>
        <div className={styles.ask}>
          <TextField label={words.message} value={message} onChange={setMessage} />
          <Button type="submit" isPending={isPending}>
            {words.refresh}
          </Button>
        </div>
      </FormLayout>
      <FailurePanel title={words.failed} failure={failure} />
      {failure && failure.errors.length > 0 && <Callout tone="warn">{words.invalid}</Callout>}
      {sides ? <Sides sides={sides} /> : isPending && <Skeleton lines={8} />}
    </Dialog>
  )
}

function Sides({ sides: { off, on } }: { sides: TeamPromptSides }) {
  const [view, setView] = useState<View>('compare')
  if (off === null) return <CallList before={[]} after={on} isCompared={false} />
  return (
    <>
      <Segments
        label={words.show}
        value={view}
        onChange={setView}
        options={[
          { id: 'compare', label: words.compare },
          { id: 'off', label: words.off },
          { id: 'on', label: words.on },
        ]}
      />
      {view === 'compare' && <CallList before={off} after={on} isCompared />}
      {view === 'off' && <CallList before={[]} after={off} isCompared={false} />}
      {view === 'on' && <CallList before={[]} after={on} isCompared={false} />}
    </>
  )
}

interface CallListProps {
  before: TeamPromptSides['on']
  after: TeamPromptSides['on']
  /** False: only what is after is shown. */
  isCompared: boolean
}

function CallList({ before, after, isCompared }: CallListProps) {
  const calls = comparePrompts(before, after)
  const shown = isCompared ? calls.filter(({ kind }) => kind !== 'same') : calls
  const same = calls.length - shown.length
  const tokens = calls.reduce((sum, call) => sum + call.tokens, 0)
  return (
    <>
      <p>{isCompared ? words.costs(tokens) : words.total(calls.length, tokens)}</p>
      {isCompared && shown.length === 0 && <Callout>{words.noChange}</Callout>}
      {shown.map((call) => (
        <PromptCall key={call.key} call={call} place={calls.indexOf(call) + 1} isCompared={isCompared} />
      ))}
      {same > 0 && shown.length > 0 && <p className={styles.quiet}>{words.same(same)}</p>}
    </>
  )
}
