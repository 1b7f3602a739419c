import { Columns3, Plus, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Segments } from '../../atoms/controls/choices.tsx'
import { Toolbar } from '../../atoms/layout/page.tsx'
import { useFollowEnd } from '../../atoms/layout/use-follow-end.ts'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { MOST_COLUMNS, type PlayedContent, type Subject, subjectKey } from '../../core/playground/subject.ts'
import { roundsOf } from '../../core/playground/turns.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { columnGrid } from './column-grid.ts'
import { Composer } from './composer.tsx'
import styles from './playground.module.css'
import { RoundView } from './round-view.tsx'
import { SubjectHead } from './subject-head.tsx'
import type { Conversations } from './use-conversations.ts'
import type { PlayableContent } from './use-played.ts'
import type { Subjects } from './use-subjects.ts'

export interface ConversationViewProps {
  kind: 'agent' | 'team'
  id: string
  saved: PlayableContent
  subjects: Subjects
  columns: readonly Subject[]
  conversations: Conversations
  /** What is edited, or else what is saved. */
  content: PlayedContent
  /** The bar of unsaved changes stands at the foot of the page, too. */
  isLifted: boolean
  onDraftless: (() => void) | undefined
  onColumns(columns: readonly Subject[]): void
  /** `isNew`: in a new conversation; `column`: to this one alone. */
  onSend(message: string, isNew?: boolean, column?: number): void
}

/** What was said, and where the next message is written. */
export function ConversationView(props: ConversationViewProps) {
  const { kind, id, saved, subjects, columns, conversations, content, onColumns, onSend } = props
  const { may } = usePlace()
  const [view, setView] = useState<'answers' | 'differences'>('answers')
  const { turns, clear } = conversations
  const { end, jump } = useFollowEnd(turns.length === 0 ? null : turns)
  const rounds = roundsOf(turns)
  const isComparing = columns.length > 1
  const refusal = useRefusal('build') ?? (saved.isArchived ? words.archived : null)
  const isTaken = (subject: Subject) => columns.some((one) => subjectKey(one) === subjectKey(subject))
  const send = (message: string, isNew = false, column?: number) => {
    jump()
    onSend(message, isNew, column)
  }
  const restart = () => clear()
  return (
    <div className={styles.playground}>
      <Toolbar label={words.label}>
        {!isComparing && <SubjectHead {...props} column={0} />}
        {!isComparing && columns[0]?.kind === 'draft' && <DraftNote onDraftless={props.onDraftless} />}
        {isComparing && (
          <Segments
            label={words.answersAs}
            value={view}
            onChange={setView}
            options={[
              { id: 'answers', label: words.plain },
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
                {words.compare}
              </Button>
            }
          />
          <Button
            emphasis="quiet"
            icon={<RotateCcw size={16} />}
            onPress={restart}
            isDisabled={turns.length === 0}
          >
            {words.restart}
          </Button>
        </span>
      </Toolbar>
      <div className={styles.scroll} data-columns={columns.length}>
        {isComparing && (
          <div className={styles.grid} style={columnGrid(columns.length)}>
            {columns.map((subject, column) => (
              <div key={subjectKey(subject)} className={styles.columnHead}>
                <SubjectHead {...props} column={column} />
              </div>
            ))}
          </div>
        )}
        {rounds.length === 0 ? (
          <Beginning
            name={saved.name}
            kind={kind}
            onAsk={refusal === null ? (message) => send(message) : null}
          />
        ) : (
          <div className={styles.rounds} role="log" aria-live="off" aria-label={words.label}>
            {rounds.map((round, index) => (
              <RoundView
                key={round.key}
                round={round}
                turns={turns}
                columns={columns.length}
                subjects={subjects}
                conversations={conversations}
                isLast={index === rounds.length - 1}
                isFirst={index === 0}
                isDifferences={view === 'differences' && isComparing}
                saved={saved}
                content={content}
                canSend={refusal === null && turns.every(({ phase }) => phase === 'settled')}
                onSend={send}
              />
            ))}
          </div>
        )}
      </div>
      {refusal !== null && <Callout>{refusal}</Callout>}
      {(may('build') || turns.length > 0) && (
        <Composer
          place={`${kind}/${id}`}
          name={saved.name}
          conversations={conversations}
          isDisabled={refusal !== null}
          isLifted={props.isLifted}
          onSend={send}
        />
      )}
      <div ref={end} />
    </div>
  )
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

interface BeginningProps {
  name: string
  kind: 'agent' | 'team'
  /** null: the person may not ask. */
  onAsk: ((message: string) => void) | null
}

/** An empty conversation: what it is for, and a first message at one press. */
function Beginning({ name, kind, onAsk }: BeginningProps) {
  return (
    <div className={styles.beginning}>
      <h2>{words.emptyTitle(name)}</h2>
      <p>{kind === 'agent' ? words.emptyAgent : words.emptyTeam}</p>
      {onAsk && (
        <div className={styles.examples}>
          {words.examples.map((example) => (
            <Button key={example} onPress={() => onAsk(example)}>
              {example}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
