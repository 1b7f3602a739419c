import { Button } from '../../atoms/controls/button.tsx'
import { Card } from '../../atoms/layout/page.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { byteSize } from '../../core/format/numbers.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import styles from './knowledge.module.css'
import type { DocumentUpload } from './upload-outcome.ts'

const words = knowledgeWords.documents

const STATES = {
  waiting: { state: 'queued', word: words.waiting },
  sending: { state: 'running', word: words.sending },
  // The document itself reports whether its text is readable.
  sent: { state: 'completed', word: words.sent },
  existing: { state: 'completed', word: words.existing },
  failed: { state: 'failed', word: words.notSent },
} as const

export interface UploadListProps {
  uploads: readonly DocumentUpload[]
  isBusy: boolean
  onRetry(id: number): void
  onDismiss(): void
}

/** The dropped files, and their results. */
export function UploadList({ uploads, isBusy, onRetry, onDismiss }: UploadListProps) {
  if (uploads.length === 0) return null
  return (
    <Card flush>
      <ul className={styles.uploads} aria-label={words.uploads} aria-live="polite">
        {uploads.map(({ id, file, state, note, mayRetry }) => (
          <li key={id} className={styles.upload}>
            <span className={styles.uploadWords}>
              <span className={styles.uploadName}>{file.name}</span>
              {state === 'failed' && <span className={styles.fault}>{note}</span>}
              {state === 'existing' && note !== file.name && <span>{words.known(note)}</span>}
            </span>
            <span className={styles.uploadSize}>{byteSize(file.size)}</span>
            <Status state={STATES[state].state}>{STATES[state].word}</Status>
            {state === 'failed' && mayRetry && (
              <Button size="small" onPress={() => onRetry(id)}>
                {words.retry}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!isBusy && (
        <div className={styles.uploadsFoot}>
          <Button emphasis="quiet" size="small" onPress={onDismiss}>
            {words.dismiss}
          </Button>
        </div>
      )}
    </Card>
  )
}
