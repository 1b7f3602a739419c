import type { IdText, WorkflowId } from '@troupe/contract'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import type { OperationChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { GoneThing } from '../../parts/gone/gone-thing.tsx'

export interface GoneWorkflowProps {
  workflowId: IdText<WorkflowId>
  /** Owned by the page, which survives this panel: it is rerendered on each refetch of the workflow. */
  undeletion: OperationChange<'undeleteWorkflow'>
}

/** Replaces a deleted or unknown workflow: the actor of the deletion, and an action to restore it. */
export function GoneWorkflow({ workflowId, undeletion }: GoneWorkflowProps) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const isUnknown = undeletion.failure?.code === 'workflow_not_found'
  return (
    <>
      <FailurePanel
        title={words.undeleteFailed}
        failure={isUnknown ? { message: words.neverDeleted, requestId: null } : undeletion.failure}
      />
      <GoneThing
        kind="workflow"
        id={workflowId}
        title={words.goneTitle}
        detail={words.gone}
        href={paths.workflows}
        label={words.goneAction}
        restore={
          <RefusableButton
            emphasis="primary"
            refusal={refusal}
            isPending={undeletion.isPending}
            onPress={() => void undeletion.run({ params: { workflowId } })}
          >
            {words.undelete}
          </RefusableButton>
        }
      />
    </>
  )
}
