import type { IdText, WorkflowId } from '@troupe/contract'
import { readGraph } from '@troupe/editor/document/read-graph'
import { useEffect } from 'react'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { FindingList } from '../parts/finding-list.tsx'
import styles from './outline.module.css'
import { useChecked } from './use-checked.ts'

export interface DraftFindingsProps {
  workflowId: IdText<WorkflowId>
  /** As typed; possibly not a valid graph. */
  draft: Record<string, unknown>
}

/** The server's findings in an unsaved draft. */
export function DraftFindings({ workflowId, draft }: DraftFindingsProps) {
  const { findings, failure, isPending, check } = useChecked(workflowId)
  useEffect(() => check(draft), [check, draft])
  return (
    <section className={styles.findings} aria-label={words.findings} aria-busy={isPending}>
      <AskedPanel
        asked={{ data: findings, failure, isFetching: isPending, retry: () => check(draft) }}
        failed={words.findings}
        lines={2}
      >
        {(found) =>
          found.length === 0 ? (
            <p className={styles.muted}>{words.noFindings}</p>
          ) : (
            <FindingList findings={found} nodes={readGraph(draft).nodes} />
          )
        }
      </AskedPanel>
    </section>
  )
}
