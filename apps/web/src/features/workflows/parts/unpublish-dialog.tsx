import { workflowPageWords as words } from '../../../core/messages/en/workflows/page.ts'
import { ConfirmChange } from '../../../parts/confirm-change/confirm-change.tsx'
import type { WorkflowDialogProps } from './workflow-dialog.ts'

/** Confirms an unpublish, after which callers are refused. */
export function UnpublishDialog({ workflow, onClose }: WorkflowDialogProps) {
  const { workflowId, name } = workflow
  return (
    <ConfirmChange
      operation="unpublishWorkflow"
      input={{ params: { workflowId } }}
      refreshes={[
        'getWorkflow',
        'listWorkflows',
        'previewPublish',
        'listWorkflowVersions',
        'listWorkflowTimeline',
        'listSchedules',
      ]}
      title={words.unpublishTitle}
      action={words.unpublishAction}
      failed={words.unpublishFailed}
      done={words.unpublished(name)}
      onClose={onClose}
    >
      {words.unpublishDetail}
    </ConfirmChange>
  )
}
