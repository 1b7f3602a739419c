import { Pencil } from 'lucide-react'
import { memo, useRef, useState } from 'react'
import { MessageField } from '../../atoms/composer/message-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { CopyButton } from '../../atoms/controls/copy-field.tsx'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { LongText } from '../../atoms/text/long-text.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { type PlayedContent, type Subject, withMode } from '../../core/playground/subject.ts'
import { isSameRound, type PlaygroundRound, type PlaygroundTurn } from '../../core/playground/turns.ts'
import { answerOf } from '../../core/runs/run-view.ts'
import { isTeamConfig } from '../../core/teams/team-config.ts'
import { AnswerView } from './answer-view.tsx'
import { focusComposer, LONGEST_MESSAGE } from './composer.tsx'
import type { ConversationDesk } from './conversations/conversation-desk.ts'
import styles from './playground.module.css'
import { TeamPicture } from './team-picture.tsx'
import type { PlayableContent } from './use-played.ts'

export interface RoundViewProps {
  round: PlaygroundRound
  /** For each turn, its subject, if its column had another one before; null: the same. */
  switches: readonly (string | null)[]
  /** The subject of each turn. */
  names: readonly string[]
  columns: number
  desk: ConversationDesk
  isFirst: boolean
  isLast: boolean
  saved: PlayableContent
  content: PlayedContent
  /** For each turn, whether it is the newest of its column. */
  isNewest: readonly boolean[]
  /** Answers are shown as differences to the first column. */
  isDifferences: boolean
  canSend: boolean
  /** `column`: to this one alone. */
  onSend(message: string, isNew?: boolean, column?: number): void
}

/** A message, and the answer of each column to it. Only changed rounds are rendered again: a conversation may be long. */
export const RoundView = memo(Round, isDrawnAlike)

const PAINTED = [
  'columns',
  'desk',
  'isFirst',
  'isLast',
  'saved',
  'content',
  'isDifferences',
  'canSend',
  'onSend',
] as const satisfies readonly Exclude<keyof RoundViewProps, 'round' | 'switches' | 'names' | 'isNewest'>[]

function isDrawnAlike(a: RoundViewProps, b: RoundViewProps): boolean {
  return (
    isSameRound(a.round, b.round) &&
    a.switches.join() === b.switches.join() &&
    a.names.join() === b.names.join() &&
    a.isNewest.join() === b.isNewest.join() &&
    PAINTED.every((name) => a[name] === b[name])
  )
}

function Round(props: RoundViewProps) {
  const { round, switches, names, isNewest, columns, desk, isDifferences, isLast, canSend, onSend } = props
  const first = round.turns.find(({ column }) => column === 0)
  return (
    <article className={styles.round}>
      <AskedMessage {...props} />
      <div className={styles.grid}>
        {Array.from({ length: columns }, (_, column) => {
          const turn = round.turns.find((one) => one.column === column)
          if (!turn) {
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the column
            return <div key={column} />
          }
          const place = round.turns.indexOf(turn)
          const other = switches[place] ?? null
          const isCompared = isDifferences && first !== undefined && column > 0
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the column
            <div key={column} className={styles.cell}>
              {columns > 1 && <p className={styles.cellName}>{names[place]}</p>}
              {other !== null && <p className={styles.switch}>{words.otherSubject(other)}</p>}
              <AnswerView
                turn={turn}
                onReadOn={desk.readOn}
                onBareSeen={desk.readSteps}
                comparedTo={isCompared ? answerOf(first.run) : null}
                isWide={columns === 1}
                picture={isLast && columns === 1 ? pictureOf(turn, props) : null}
                onRetry={isNewest[place] && canSend ? () => onSend(round.message, false, column) : null}
              />
            </div>
          )
        })}
      </div>
    </article>
  )
}

/** The diagram of a team's run; null for agents, and for versions without a loaded configuration. */
function pictureOf({ run, played }: PlaygroundTurn, { saved, content }: RoundViewProps) {
  const config = configOf(played.subject, saved, content)
  if (run.kind !== 'team' || !isTeamConfig(config)) return null
  return <TeamPicture run={run} config={config} names={saved.names} />
}

function configOf(subject: Subject, saved: PlayableContent, content: PlayedContent): object | null {
  switch (subject.kind) {
    case 'live':
      return saved.config
    case 'draft':
      return content.config
    case 'mode':
      return withMode(content.config, subject.mode)
    case 'version':
      return subject.versionId === saved.versionId ? saved.config : null
    case 'model':
      return null
    default:
      return subject satisfies never
  }
}

function AskedMessage({ round, isFirst, isLast, canSend, onSend }: RoundViewProps) {
  const [edited, setEdited] = useState<string | null>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const { message } = round
  if (edited !== null) {
    const send = (isNew: boolean) => {
      setEdited(null)
      onSend(edited, isNew)
      focusComposer()
    }
    const cancel = () => {
      setEdited(null)
      focusNext(() => editButton.current)
    }
    // The only message of a conversation is replaced; a later one cannot be retracted.
    const isReplaced = isFirst && isLast
    const isEmpty = edited.trim() === ''
    return (
      <div className={styles.editing}>
        <MessageField
          label={words.editTitle}
          description={words.sendKeys}
          value={edited}
          onChange={setEdited}
          onSend={() => canSend && send(isReplaced)}
          onCancel={cancel}
          maxLength={LONGEST_MESSAGE}
          autoFocus
          actions={
            <>
              <Button size="small" emphasis="quiet" onPress={cancel}>
                {words.cancelEdit}
              </Button>
              {!isReplaced && (
                <Button size="small" isDisabled={isEmpty || !canSend} onPress={() => send(true)}>
                  {words.resendNew}
                </Button>
              )}
              <Button
                size="small"
                emphasis="primary"
                isDisabled={isEmpty || !canSend}
                onPress={() => send(isReplaced)}
              >
                {words.resend}
              </Button>
            </>
          }
        />
        {!isReplaced && <p className={styles.quiet}>{words.resendDetail}</p>}
      </div>
    )
  }
  return (
    <div className={styles.asked}>
      <h2 className="visually-hidden">{words.you}</h2>
      <div className={styles.bubble} dir="auto">
        <LongText text={message} />
      </div>
      <span className={styles.bubbleTools}>
        <CopyButton text={message} label={words.copyMessage} />
        <Button
          emphasis="quiet"
          size="small"
          icon={<Pencil size={14} />}
          ref={editButton}
          aria-label={words.edit}
          onPress={() => setEdited(message)}
        />
      </span>
    </div>
  )
}
