import { ChevronDown, X } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { DraftMark, LiveMark } from '../../atoms/states/badge.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { type Subject, subjectKey } from '../../core/playground/subject.ts'
import { focusComposer } from './composer.tsx'
import type { ConversationDesk } from './conversations/conversation-desk.ts'
import styles from './playground.module.css'
import type { PlayableContent } from './use-played.ts'
import type { Subjects } from './use-subjects.ts'

export interface SubjectHeadProps {
  column: number
  columns: readonly Subject[]
  subjects: Subjects
  saved: PlayableContent
  desk: ConversationDesk
  onColumns(columns: readonly Subject[]): void
}

/** The subject of a column, and a menu to change it. */
export function SubjectHead(props: SubjectHeadProps) {
  const { column, columns, subjects, saved, desk, onColumns } = props
  const subject = columns[column]
  if (!subject) return null
  const name = subjects.nameOf({ subject, versionNumber: null })
  const isTaken = (one: Subject) => columns.some((taken) => subjectKey(taken) === subjectKey(one))
  return (
    <span className={styles.subject}>
      <ActionMenu
        label={words.with}
        placement="top start"
        groups={subjects.menu((chosen) => onColumns(columns.with(column, chosen)), isTaken)}
        trigger={
          <Button aria-label={`${words.with} ${name}`}>
            {subject.kind === 'live' && !saved.isArchived ? (
              <LiveMark version={saved.versionNumber} />
            ) : subject.kind === 'draft' ? (
              <DraftMark />
            ) : (
              <span className={styles.subjectName}>{name}</span>
            )}
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        }
      />
      {columns.length > 1 && (
        <Button
          emphasis="quiet"
          size="small"
          icon={<X size={14} />}
          aria-label={words.removeColumn(name)}
          onPress={() => {
            desk.removeColumn(column)
            onColumns(columns.filter((_, index) => index !== column))
            focusComposer()
          }}
        />
      )}
    </span>
  )
}
