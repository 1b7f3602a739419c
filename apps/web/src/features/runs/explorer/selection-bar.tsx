import type { ListedRun } from '@troupe/builder-contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { ChosenBar } from '../../../atoms/table/chosen-bar.tsx'
import { runWords } from '../../../core/messages/en/runs.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { saveRuns } from './use-export.ts'

export interface SelectionBarProps {
  runs: readonly ListedRun[]
  /** What became of one of them. */
  onChanged(runId: string, status: ListedRun['status']): void
  onClear(): void
}

/** What can be done with the chosen runs. */
export function SelectionBar({ runs, onChanged, onClear }: SelectionBarProps) {
  const { may } = usePlace()
  const cancel = useChange('cancelRun', { refreshes: ['listRuns', 'runHistogram'] })
  const [isCancelling, setCancelling] = useState(false)
  const inFlight = runs.filter(({ status }) => !isEnded(status))
  const cancelAll = async () => {
    setCancelling(true)
    let done = 0
    // One that cannot be cancelled, such as one that has just ended, keeps none of the others from it.
    for (const { runId } of inFlight) {
      const changed = await cancel.run({ params: { runId } })
      if (!changed) continue
      onChanged(runId, changed.answer.status)
      done += 1
    }
    setCancelling(false)
    if (done > 0) showNotice({ title: runWords.cancelledOf(done, inFlight.length) })
  }
  return (
    <ChosenBar label={runWords.selected(runs.length)} clear={runWords.clearSelected} onClear={onClear}>
      <Button size="small" icon={<Download size={14} />} onPress={() => saveRuns(runs)}>
        {runWords.exportSelected}
      </Button>
      {may('build') && inFlight.length > 0 && (
        <SendButton size="small" emphasis="danger" isPending={isCancelling} onPress={() => void cancelAll()}>
          {runWords.cancelSelected(inFlight.length)}
        </SendButton>
      )}
      <FailurePanel title={runWords.cancelFailed} failure={cancel.failure} />
    </ChosenBar>
  )
}
