import { Badge } from '../../atoms/states/badge.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import styles from './knowledge.module.css'

export interface DocumentCountsProps {
  /** Absent: only the numbers that need attention are shown. */
  ready?: number
  queued: number
  failed: number
}

/** The number of all, of queued, and of failed documents. */
export function DocumentCounts({ ready, queued, failed }: DocumentCountsProps) {
  return (
    <span className={styles.counts}>
      {ready !== undefined && wholeNumber(ready + queued + failed)}
      {queued > 0 && <Badge tone="info">{words.queued(queued)}</Badge>}
      {failed > 0 && <Badge tone="bad">{words.failedCount(failed)}</Badge>}
    </span>
  )
}
