import type { AnyRunId, IdText } from '@troupe/contract'
import type { ListedRun } from '@troupe/contract/builder'
import { Download, RotateCcw } from 'lucide-react'
import { Button } from '../../../atoms/controls/button.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { ChosenBar } from '../../../atoms/table/chosen-bar.tsx'
import { runWords } from '../../../core/messages/en/runs.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { type RunsChange, useChangeRuns } from './use-change-runs.ts'
import { saveRuns } from './use-export.ts'

export interface SelectionBarProps {
  runs: readonly ListedRun[]
  /** The result for one of them. */
  onChanged(runId: IdText<AnyRunId>, status: ListedRun['status']): void
  onClear(): void
}

/** Actions on the selected runs. */
export function SelectionBar({ runs, onChanged, onClear }: SelectionBarProps) {
  const refusal = useRefusal('build')
  const cancel = useChangeRuns('cancelRun', onChanged)
  const rerun = useChangeRuns('rerun')
  const ended = runs.filter(({ status }) => isEnded(status))
  const inFlight = runs.filter(({ status }) => !isEnded(status))
  const cancelAll = async () => {
    const done = await cancel.run(inFlight)
    if (done > 0) showNotice({ title: runWords.cancelledOf(done, inFlight.length) })
  }
  const rerunAll = async () => {
    const done = await rerun.run(ended)
    if (done > 0) showNotice({ title: runWords.rerunOf(done, ended.length) })
  }
  return (
    <ChosenBar label={runWords.selected(runs.length)} clear={runWords.clearSelected} onClear={onClear}>
      <Button size="small" icon={<Download size={14} />} onPress={() => saveRuns(runs)}>
        {runWords.exportSelected}
      </Button>
      {ended.length > 0 && (
        <RefusableButton
          size="small"
          refusal={refusal}
          icon={<RotateCcw size={14} />}
          isPending={rerun.isPending}
          onPress={() => void rerunAll()}
        >
          {runWords.rerunSelected(ended.length)}
        </RefusableButton>
      )}
      {inFlight.length > 0 && (
        <RefusableButton
          size="small"
          emphasis="danger"
          refusal={refusal}
          isPending={cancel.isPending}
          onPress={() => void cancelAll()}
        >
          {runWords.cancelSelected(inFlight.length)}
        </RefusableButton>
      )}
      <Failures change={cancel} titleOf={runWords.notCancelled} />
      <Failures change={rerun} titleOf={runWords.notRerun} />
    </ChosenBar>
  )
}

/** The number of refused ones, and the first reason. */
function Failures({ change, titleOf }: { change: RunsChange; titleOf(count: number): string }) {
  const { failures } = change
  return <FailurePanel title={titleOf(failures.length)} failure={failures[0] ?? null} />
}
