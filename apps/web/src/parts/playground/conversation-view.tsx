import { Columns3, Plus, RotateCcw } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Segments } from '../../atoms/controls/choices.tsx'
import { Toolbar } from '../../atoms/layout/page.tsx'
import { useFollowEnd } from '../../atoms/layout/use-follow-end.ts'
import { useMedia } from '../../atoms/layout/use-media.ts'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { Callout, Skeleton } from '../../atoms/states/panels.tsx'
import { classNames } from '../../atoms/styles/class-names.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { type Starter, starters } from '../../core/playground/starters.ts'
import { MOST_COLUMNS, type PlayedContent, type Subject, subjectKey } from '../../core/playground/subject.ts'
import { type PlaygroundRound, roundsOf } from '../../core/playground/turns.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { CallerChip } from './caller-chip.tsx'
import { Composer, focusComposer, focusComposerEnd } from './composer.tsx'
import type { ConversationDesk, ShownConversations } from './conversations/conversation-desk.ts'
import styles from './playground.module.css'
import { RoundView } from './round-view.tsx'
import { SubjectHead } from './subject-head.tsx'
import type { CallerFields } from './use-caller-fields.ts'
import type { PlayableContent } from './use-played.ts'
import type { Subjects } from './use-subjects.ts'

export interface ConversationViewProps {
  kind: 'agent' | 'team'
  id: string
  saved: PlayableContent
  subjects: Subjects
  columns: readonly Subject[]
  desk: ConversationDesk
  shown: ShownConversations
  caller: CallerFields
  /** The layout of parallel answers to one message. */
  answers: 'plain' | 'differences'
  /** The edit, or else the saved state. */
  content: PlayedContent
  /** The bar of unsaved changes is at the bottom of the page too. */
  isLifted: boolean
  /** It is beside the settings, in a separate frame. */
  isBeside: boolean
  onDraftless: (() => void) | undefined
  onColumns(columns: readonly Subject[]): void
  onAnswers(answers: 'plain' | 'differences'): void
  /** `isNew`: in a new conversation; `column`: to this one alone. */
  onSend(message: string, isNew?: boolean, column?: number): void
}

/** There is room for the conversation to scroll between its toolbar and its composer, which stay; smaller windows scroll as a whole. */
const ROOMY = '(min-width: 48rem) and (min-height: 36rem)'

const isText = (value: unknown): value is string => typeof value === 'string'

/** The conversation, and the input of the next message. */
export function ConversationView(props: ConversationViewProps) {
  const { kind, id, saved, subjects, columns, desk, shown, content, caller, answers, onColumns } = props
  const { may } = usePlace()
  const { turns, restoring } = shown
  const isRoomy = useMedia(ROOMY)
  const fills = props.isBeside ? 'frame' : isRoomy ? 'page' : undefined
  const { end, jump } = useFollowEnd(turns.length === 0 ? null : turns, fills)
  // An unsent message is stored by its subject.
  const typed = useDraft(`playground/${kind}/${id}`, isText)
  const rounds = roundsOf(turns)
  const isComparing = columns.length > 1
  const refusal = useRefusal('build') ?? (saved.isArchived ? words.archived : null)
  const isTaken = (subject: Subject) => columns.some((one) => subjectKey(one) === subjectKey(subject))
  // The same function for every render, so that rounds are not rendered again with each frame of the newest answer.
  const newest = useRef({ jump, onSend: props.onSend })
  newest.current = { jump, onSend: props.onSend }
  const send = useCallback((message: string, isNew = false, column?: number) => {
    newest.current.jump()
    newest.current.onSend(message, isNew, column)
  }, [])
  // Columns that were retried separately each have their newest turn in another round.
  const newestKeys = new Set(new Map(turns.map(({ column, key }) => [column, key])).values())
  const isSettled = restoring.length === 0 && turns.every(({ phase }) => phase === 'settled')
  return (
    <div className={styles.playground} data-fills={fills}>
      <Toolbar label={words.label}>
        {!isComparing && <SubjectHead {...props} column={0} />}
        {!isComparing && columns[0]?.kind === 'draft' && <DraftNote onDraftless={props.onDraftless} />}
        {isComparing && (
          <Segments
            label={words.answersAs}
            value={answers}
            onChange={props.onAnswers}
            options={[
              { id: 'plain', label: words.plain },
              { id: 'differences', label: words.differences },
            ]}
          />
        )}
        <span data-end className={styles.tools}>
          <ActionMenu
            label={words.compareWith}
            groups={subjects.menu((subject) => onColumns([...columns, subject]), isTaken)}
            trigger={
              <Button
                emphasis="quiet"
                icon={isComparing ? <Plus size={16} /> : <Columns3 size={16} />}
                isDisabled={columns.length >= MOST_COLUMNS}
              >
                <span className={styles.toolName}>{words.compare}</span>
              </Button>
            }
          />
          <Button
            emphasis="quiet"
            icon={<RotateCcw size={16} />}
            onPress={() => {
              desk.clear()
              focusComposer()
            }}
            isDisabled={turns.length === 0 && restoring.length === 0}
          >
            <span className={styles.toolName}>{words.restart}</span>
          </Button>
        </span>
      </Toolbar>
      <div className={styles.scroll} data-columns={columns.length}>
        {isComparing && (
          <div className={classNames(styles.grid, styles.heads)}>
            {columns.map((subject, column) => (
              <div key={subjectKey(subject)} className={styles.columnHead}>
                <SubjectHead {...props} column={column} />
              </div>
            ))}
          </div>
        )}
        {restoring.length > 0 && <Skeleton lines={4} />}
        {rounds.length === 0 ? (
          restoring.length === 0 && (
            <Beginning
              name={saved.name}
              kind={kind}
              offered={
                refusal === null && caller.read.ok ? starters(content.config, saved.names) : NO_STARTERS
              }
              onSend={(message) => send(message)}
              onBegin={(text) => {
                typed.edit(text, '')
                focusComposerEnd()
              }}
            />
          )
        ) : (
          <div className={styles.rounds} role="log" aria-live="off" aria-label={words.label}>
            {rounds.map((round, index) => (
              <RoundView
                key={round.key}
                round={round}
                switches={switchesOf(round, subjects)}
                names={round.turns.map(({ played }) => subjects.nameOf(played))}
                columns={columns.length}
                desk={desk}
                isLast={index === rounds.length - 1}
                isNewest={round.turns.map(({ key }) => newestKeys.has(key))}
                isFirst={index === 0}
                isDifferences={answers === 'differences' && isComparing}
                saved={saved}
                content={content}
                canSend={refusal === null && caller.read.ok && isSettled}
                onSend={send}
              />
            ))}
          </div>
        )}
        <div ref={end} />
      </div>
      {refusal !== null && <Callout>{refusal}</Callout>}
      {(may('build') || turns.length > 0) && (
        <Composer
          typed={typed}
          name={saved.name}
          turns={turns}
          onStop={desk.stop}
          isDisabled={refusal !== null || !caller.read.ok || restoring.length > 0}
          isLifted={props.isLifted}
          caller={
            may('build') && (
              <CallerChip
                caller={caller}
                isDisabled={refusal !== null}
                hasConversation={turns.some(({ run, phase }) => run.runId !== null || phase === 'sending')}
              />
            )
          }
          onSend={send}
        />
      )}
    </div>
  )
}

/** For each turn of a round, its subject, if its column had another one before. */
function switchesOf({ turns, switched }: PlaygroundRound, { nameOf }: Subjects): (string | null)[] {
  return turns.map(({ key, played }) => (switched.includes(key) ? nameOf(played) : null))
}

function DraftNote({ onDraftless }: { onDraftless: (() => void) | undefined }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <span className={styles.draftNote}>
      <span className={styles.quiet}>{words.draftRuns}</span>
      {onDraftless && (
        <Button size="small" emphasis="quiet" onPress={() => setAsked(true)}>
          {words.discardDraft}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={words.discardTitle}
        action={words.discardDraft}
        isDanger
        onConfirm={() => {
          setAsked(false)
          onDraftless?.()
        }}
      >
        {words.discardText}
      </ConfirmDialog>
    </span>
  )
}

const NO_STARTERS: readonly Starter[] = []

interface BeginningProps {
  name: string
  kind: 'agent' | 'team'
  /** First messages; empty: the user may not send any. */
  offered: readonly Starter[]
  onSend(message: string): void
  /** Puts the beginning of a message into the composer. */
  onBegin(text: string): void
}

/** An empty conversation: its purpose, and a first message at one press. */
function Beginning({ name, kind, offered, onSend, onBegin }: BeginningProps) {
  return (
    <div className={styles.beginning}>
      <h2>{words.emptyTitle(name)}</h2>
      <p>{kind === 'agent' ? words.emptyAgent : words.emptyTeam}</p>
      {offered.length > 0 && (
        <div className={styles.examples}>
          {offered.map(({ label, text, isWhole }) => (
            <Button
              key={text}
              onPress={() => {
                if (!isWhole) {
                  onBegin(text)
                  return
                }
                onSend(text)
                focusComposer()
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
