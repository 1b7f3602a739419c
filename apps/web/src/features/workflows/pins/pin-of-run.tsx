import type { IdText, WorkflowId, WorkflowRunId } from '@troupe/contract'
import { Pin } from 'lucide-react'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { pinWords as words } from '../../../core/messages/en/workflows/pins.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'

export interface PinOfRunProps {
  workflowId: IdText<WorkflowId>
  runId: IdText<WorkflowRunId>
  nodeId: string
  name: string
  /** The iteration. */
  path: string
}

/** Pins a step's output in a run to the same step of the draft. The server copies it, because the shown one may be truncated. */
export function PinOfRun({ workflowId, runId, nodeId, name, path }: PinOfRunProps) {
  const refusal = useRefusal('build')
  const set = useChange('setPin', { refreshes: ['listPins'] })
  const pin = async () => {
    const body = { fromRunId: runId, path }
    if (await set.run({ params: { workflowId, nodeId }, body })) showNotice({ title: words.pinnedFrom(name) })
  }
  return (
    <div>
      <FailurePanel title={words.failed} failure={set.failure} />
      <RefusableButton
        size="small"
        icon={<Pin size={14} />}
        refusal={refusal}
        isPending={set.isPending}
        onPress={() => void pin()}
      >
        {words.pinThis}
      </RefusableButton>
    </div>
  )
}
