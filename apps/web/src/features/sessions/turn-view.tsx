import type { UserMemory } from '@troupe/contract'
import type { SessionDetail } from '@troupe/contract/builder'
import { BookMarked, Eye, ScrollText } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { LongText } from '../../atoms/text/long-text.tsx'
import { money } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { sessionWords as words } from '../../core/messages/en/operate/sessions.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { stateOfRun } from '../../core/runs/run-state.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './sessions.module.css'

export interface TurnViewProps {
  turn: SessionDetail['turns'][number]
  /** Memories of the user that were created in it. */
  memories: readonly UserMemory[]
  onSeen(): void
}

/** One turn: the user's message, the answer, and its run. */
export function TurnView({ turn: { seq, run, input, content }, memories, onSeen }: TurnViewProps) {
  const { paths } = usePlace()
  return (
    <article className={styles.turn} aria-label={words.turn(seq)}>
      <header className={styles.turnHead}>
        <strong>{words.turn(seq)}</strong>
        <Status state={stateOfRun(run.status)}>{runWords.statuses[run.status]}</Status>
        <MomentText at={run.createdAt} />
        {run.durationMs !== null && <span>{duration(run.durationMs)}</span>}
        {run.costUsd !== null && <span>{money(run.costUsd)}</span>}
        <span className={styles.turnEnd}>
          <TextLink href={paths.run(run.runId)}>{words.run}</TextLink>
          <Button size="small" emphasis="quiet" icon={<Eye size={14} />} onPress={onSeen}>
            {words.saw}
          </Button>
        </span>
      </header>
      {input === null ? (
        <p className={styles.quiet}>{words.notKept}</p>
      ) : (
        <div className={styles.said}>
          <LongText text={input} />
        </div>
      )}
      {content !== null && <Markdown text={content} />}
      {content === null && run.error && <p className={styles.bad}>{run.error.message || run.error.code}</p>}
      {memories.map(({ memoryId, text }) => (
        <p key={memoryId} className={styles.mark}>
          <BookMarked size={14} aria-hidden="true" />
          <span>
            <strong>{words.memory}:</strong> {text}
          </span>
        </p>
      ))}
    </article>
  )
}

/** The position from which the prompt has a summary instead of earlier messages. */
export function SummaryMark({ summary }: { summary: NonNullable<SessionDetail['summary']> }) {
  return (
    <aside className={styles.summary} aria-label={words.summary}>
      <p className={styles.mark}>
        <ScrollText size={14} aria-hidden="true" />
        <strong>{words.summaryMark(summary.coversSeq)}</strong>
      </p>
      <Markdown text={summary.text} />
    </aside>
  )
}
