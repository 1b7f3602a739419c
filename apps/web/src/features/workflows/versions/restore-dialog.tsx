import type { BuilderWorkflow } from '@troupe/builder-contract'
import type { WorkflowVersion } from '@troupe/contract'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { DRAFT_ANSWERS } from '../parts/draft-answers.ts'
import { showUndoFailed } from '../parts/undo-failed.ts'

export interface RestoreDialogProps {
  workflow: BuilderWorkflow
  version: WorkflowVersion
  onClose(): void
}

/** Asks before the draft is replaced by a version. The former draft can be taken back right after. */
export function RestoreDialog({ workflow, version, onClose }: RestoreDialogProps) {
  const { workflowId, draft, draftRevision: base } = workflow
  const { versionId, number } = version
  const restore = useChange('restoreWorkflowVersion', { refreshes: DRAFT_ANSWERS })
  const undo = useChange('updateWorkflow', { refreshes: DRAFT_ANSWERS })
  const takeBack = async (draftRevision: number) => {
    const body = { draft, draftRevision }
    const undone = await undo.run({ params: { workflowId }, body }, showUndoFailed(words))
    if (undone) showNotice({ title: words.undone })
  }
  const confirm = async () => {
    const body = { draftRevision: base }
    const restored = await restore.run({ params: { workflowId, versionId }, body })
    if (!restored) return
    const { draftRevision } = restored.answer
    onClose()
    showNotice({
      title: words.restored(number),
      action: { label: words.undo, run: () => void takeBack(draftRevision) },
    })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.restoreTitle(number)}
      action={words.restoreAction}
      isPending={restore.isPending}
      failed={words.restoreFailed}
      failure={restore.failure}
      onConfirm={confirm}
    >
      {words.restoreText}
    </ConfirmDialog>
  )
}
