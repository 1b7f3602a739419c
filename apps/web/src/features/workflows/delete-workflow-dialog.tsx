import type { IdText, WorkflowId } from '@troupe/contract'
import { focusNext, pageHeading } from '../../atoms/focus/focus-next.ts'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { NAMES_USES } from '../../infrastructure/queries/names-uses.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import type { WorkflowDialogProps } from './parts/workflow-dialog.ts'

interface DeletedWorkflow {
  workflowId: IdText<WorkflowId>
  name: string
  deployment: object | null
}

export interface DeleteWorkflowDialogProps extends WorkflowDialogProps<DeletedWorkflow> {
  /** Its page is open: navigate to the list afterwards. */
  isOpened?: boolean
}

/** Confirms the deletion of a workflow; for a published one, its name must be typed. */
export function DeleteWorkflowDialog({ workflow, onClose, isOpened = false }: DeleteWorkflowDialogProps) {
  const { workflowId, name, deployment } = workflow
  const { paths } = usePlace()
  const goTo = useGoTo()
  return (
    <ConfirmChange
      operation="deleteWorkflow"
      input={{ params: { workflowId } }}
      refreshes={['listWorkflows', ...NAMES_USES]}
      title={words.removeTitle}
      action={words.removeAction}
      {...(deployment === null ? {} : { typed: name })}
      failed={words.removeFailed}
      onClose={onClose}
      onDone={() => {
        const toPage = () => goTo(paths.workflow(workflowId))
        showNotice({ title: words.removed(name), action: { label: words.toRestore, run: toPage } })
        onClose()
        focusNext(placeAfter)
        if (isOpened) goTo(paths.workflows, { replace: true })
      }}
    >
      {words.removeDetail}
    </ConfirmChange>
  )
}

/** The row that replaces the deleted one; on any other page, and in a list without rows, its heading. */
function placeAfter(): Element | null {
  return document.querySelector('#content tr[tabindex="0"]') ?? pageHeading()
}
