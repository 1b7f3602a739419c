import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import type { WorkflowDialogProps } from './parts/workflow-dialog.ts'

interface DeletedWorkflow {
  workflowId: string
  name: string
  deployment: object | null
}

export interface DeleteWorkflowDialogProps extends WorkflowDialogProps<DeletedWorkflow> {
  /** Its page is open: the list follows. */
  isOpened?: boolean
}

/** Asks before a workflow is deleted; for one that callers run, its name must be typed. */
export function DeleteWorkflowDialog({ workflow, onClose, isOpened = false }: DeleteWorkflowDialogProps) {
  const { workflowId, name, deployment } = workflow
  const { paths } = usePlace()
  const goTo = useGoTo()
  const remove = useChange('deleteWorkflow', { refreshes: ['listWorkflows'] })
  const confirm = async () => {
    if (!(await remove.run({ params: { workflowId } }))) return
    onClose()
    if (isOpened) goTo(paths.workflows, { replace: true })
    showNotice({ title: words.removed(name) })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle}
      action={words.removeAction}
      isDanger
      isPending={remove.isPending}
      {...(deployment === null ? {} : { typed: name })}
      failed={words.removeFailed}
      failure={remove.failure}
      onConfirm={confirm}
    >
      {words.removeDetail}
    </ConfirmDialog>
  )
}
