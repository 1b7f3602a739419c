import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { workflowPageWords as words } from '../../../core/messages/en/workflows/page.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import type { WorkflowDialogProps } from './workflow-dialog.ts'

/** Asks before callers are refused. */
export function UnpublishDialog({ workflow, onClose }: WorkflowDialogProps) {
  const { workflowId, name } = workflow
  const unpublish = useChange('unpublishWorkflow', {
    refreshes: ['getWorkflow', 'listWorkflows', 'previewPublish', 'listWorkflowVersions', 'listSchedules'],
  })
  const confirm = async () => {
    if (!(await unpublish.run({ params: { workflowId } }))) return
    onClose()
    showNotice({ title: words.unpublished(name) })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.unpublishTitle}
      action={words.unpublishAction}
      isDanger
      isPending={unpublish.isPending}
      failed={words.unpublishFailed}
      failure={unpublish.failure}
      onConfirm={confirm}
    >
      {words.unpublishDetail}
    </ConfirmDialog>
  )
}
