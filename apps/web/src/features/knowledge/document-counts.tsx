import { Badge } from '../../atoms/states/badge.tsx'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import styles from './knowledge.module.css'

/** How many documents are ready, being read, and failed. */
export function DocumentCounts({ ready, queued, failed }: { ready: number; queued: number; failed: number }) {
  return (
    <span className={styles.counts}>
      {words.ready(ready)}
      {queued > 0 && <Badge tone="info">{words.queued(queued)}</Badge>}
      {failed > 0 && <Badge tone="bad">{words.failedCount(failed)}</Badge>}
    </span>
  )
}
