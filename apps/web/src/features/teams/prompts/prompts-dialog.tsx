import type { IdText, TeamConfig, TeamId, TeamToggle } from '@troupe/contract'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import { useState } from 'react'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Checkbox } from '../../../atoms/controls/toggles.tsx'
import { FormLayout } from '../../../atoms/layout/page.tsx'
import { Dialog } from '../../../atoms/overlays/dialog.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { teamSettingLabel } from '../../../core/labels/team-setting-labels.ts'
import { teamPageWords } from '../../../core/messages/en/teams/page.ts'
import { comparePrompts } from '../../../core/teams/compare-prompts.ts'
import {
  type LastConversation,
  useLastConversation,
} from '../../../parts/playground/conversations/use-last-conversation.ts'
import { PromptCall } from './prompt-call.tsx'
import styles from './prompts.module.css'
import { type TeamPromptSides, useTeamPrompts } from './use-team-prompts.ts'

const words = teamPageWords.prompts

export interface PromptsDialogProps {
  teamId: IdText<TeamId>
  /** The current edit, saved or not. */
  content: ConfigContent
  config: TeamConfig
  /** Compared in both positions; null: no comparison. */
  toggle: TeamToggle | null
  onClose(): void
}

type View = 'compare' | 'off' | 'on'

/** The exact prompts of a team; for a toggle, its effect on prompts and cost. */
export function PromptsDialog(props: PromptsDialogProps) {
  const { teamId, toggle, onClose } = props
  const title = toggle === null ? words.title : words.toggleTitle(teamSettingLabel(`toggles.${toggle}`))
  const { last, isLoading } = useLastConversation('team', teamId)
  return (
    <Dialog isOpen onClose={onClose} title={title} width="wide">
      <p className={styles.quiet}>{words.detail}</p>
      {isLoading ? <Skeleton lines={8} /> : <Prompts {...props} last={last} />}
    </Dialog>
  )
}

interface PromptsProps extends PromptsDialogProps {
  /** The last conversation of the playground; null: none. */
  last: LastConversation | null
}

function Prompts({ teamId, content, config, toggle, last }: PromptsProps) {
  const [message, setMessage] = useState<string>(words.sample)
  // Only a conversation shows the effect of this toggle. The selected conversation: somebody else may have a newer one by now.
  const [chosen, setChosen] = useState(toggle === 'members_see_team_history' ? last : null)
  const question = { message, sessionId: chosen?.sessionId ?? null }
  const { sides, failure, isPending, ask } = useTeamPrompts({ teamId, content, config, toggle }, question)
  return (
    <>
      <FormLayout label={words.message} onSubmit={() => message.trim() !== '' && ask(question)}>
        <div className={styles.ask}>
          <TextField label={words.message} value={message} onChange={setMessage} />
          <SendButton type="submit" isPending={isPending}>
            {words.refresh}
          </SendButton>
        </div>
        {last !== null && (
          <Checkbox
            description={(chosen ?? last).whose}
            isSelected={chosen !== null}
            onChange={(next) => {
              setChosen(next ? last : null)
              ask({ message, sessionId: next ? last.sessionId : null })
            }}
          >
            {words.goOn}
          </Checkbox>
        )}
      </FormLayout>
      <FailurePanel title={words.failed} failure={failure} />
      {failure && failure.errors.length > 0 && <Callout tone="warn">{words.invalid}</Callout>}
      {sides ? <Sides sides={sides} toggle={toggle} /> : isPending && <Skeleton lines={8} />}
    </>
  )
}

function Sides({ sides: { off, on }, toggle }: { sides: TeamPromptSides; toggle: TeamToggle | null }) {
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
      {view === 'compare' && <CallList before={off} after={on} isCompared toggle={toggle} />}
      {view === 'off' && <CallList before={[]} after={off} isCompared={false} />}
      {view === 'on' && <CallList before={[]} after={on} isCompared={false} />}
    </>
  )
}

interface CallListProps {
  before: TeamPromptSides['on']
  after: TeamPromptSides['on']
  /** False: only the new state is shown. */
  isCompared: boolean
  toggle?: TeamToggle | null
}

function CallList({ before, after, isCompared, toggle = null }: CallListProps) {
  const calls = comparePrompts(before, after)
  const shown = isCompared ? calls.filter(({ kind }) => kind !== 'same') : calls
  const same = calls.length - shown.length
  // A toggle without effect in one round may have a cost in the next one.
  const isElsewhere = isCompared && shown.length === 0 && toggle === 'share_member_interactions'
  const tokens = calls.reduce((sum, call) => sum + call.tokens, 0)
  return (
    <>
      {!isElsewhere && <p>{isCompared ? words.costs(tokens) : words.total(calls.length, tokens)}</p>}
      {isCompared && shown.length === 0 && <Callout>{noChangeText(toggle)}</Callout>}
      {shown.map((call) => (
        <PromptCall key={call.key} call={call} place={calls.indexOf(call) + 1} isCompared={isCompared} />
      ))}
      {same > 0 && shown.length > 0 && <p className={styles.quiet}>{words.same(same)}</p>}
    </>
  )
}

/** The reason for no difference: some toggles only apply in situations that such a question lacks. */
function noChangeText(toggle: TeamToggle | null): string {
  if (toggle === 'members_see_team_history') return words.noChangeHistory
  return toggle === 'share_member_interactions' ? words.noChangeShared : words.noChange
}
