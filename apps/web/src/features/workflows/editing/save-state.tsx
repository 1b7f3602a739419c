import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { SyncStatus } from '@troupe/editor/sync/sync-state'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import styles from './save-state.module.css'
import { useDraftSession } from './use-draft-session.ts'

const MergeStepsDialog = lazyPart(async () => (await import('./merge-steps-dialog.tsx')).MergeStepsDialog)

/** Whether the changes are saved, or the reason why not. Screen readers are notified of problems only. */
export function SaveState({ workflow }: { workflow: BuilderWorkflow }) {
  const session = useDraftSession(workflow)
  const [isDeciding, setDeciding] = useState(false)
  const { status, isKept } = session
  // Before the first change there is nothing to display.
  if (status === 'saved' && session.graph === null) return null
  const isQuiet = status === 'saved' || status === 'unsaved' || status === 'saving'
  const text = textOf(status, session.editor.sync.message)
  return (
    <>
      <span className={styles.state} data-tone={isQuiet ? 'quiet' : 'bad'} data-save-state={status}>
        {isQuiet ? (
          text
        ) : (
          <span role="status">
            {text} {isKept ? words.kept : words.notKept}
          </span>
        )}
      </span>
      {status === 'conflict' && (
        <Button size="small" onPress={() => setDeciding(true)}>
          {words.decide}
        </Button>
      )}
      {isDeciding && status === 'conflict' && (
        <LazyDialog>
          <MergeStepsDialog workflow={workflow} onClose={() => setDeciding(false)} />
        </LazyDialog>
      )}
    </>
  )
}

function textOf(status: SyncStatus, message: string | null): string {
  if (status === 'refused') return words.states.refused(message ?? '')
  return status === 'unreachable' && message !== null ? words.failing(message) : words.states[status]
}
