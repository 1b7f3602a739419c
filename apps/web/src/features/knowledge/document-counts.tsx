import { Badge } from '../../atoms/states/badge.tsx'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import styles from './knowledge.module.css'

export interface DocumentCountsProps {
  /** Absent: only what needs a look is shown. */
  ready?: number
  queued: number
  failed: number
}

/** How many documents are ready, being read, and failed. */
export function DocumentCounts({ ready, queued, failed }: DocumentCountsProps) {
  return (
    <span className={styles.counts}>
      {ready !== undefined && words.ready(ready)}
      {queued > 0 && <Badge tone="info">{words.queued(queued)}</Badge>}
      {failed > 0 && <Badge tone="bad">{words.failedCount(failed)}</Badge>}
    </span>
  )
}
