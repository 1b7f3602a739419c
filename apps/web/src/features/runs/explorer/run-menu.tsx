import type { AnyRunId, IdText } from '@troupe/contract'
import type { ListedRun } from '@troupe/contract/builder'
import { useState } from 'react'
import { copyAndSay } from '../../../atoms/overlays/copy-and-say.ts'
import { ActionMenu, MenuButton, type MenuEntry } from '../../../atoms/overlays/menu.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { useEntryRefusal } from '../../../infrastructure/queries/use-entry-refusal.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { nameOfRun } from './run-columns.tsx'

export interface RunMenuProps {
  run: ListedRun
  /** Called with the result of the action: the list refetches its newest rows only. */
  onChanged(runId: IdText<AnyRunId>, status: ListedRun['status']): void
}

/** Actions on one run of the list. */
export function RunMenu({ run, onChanged }: RunMenuProps) {
  const [isMade, setMade] = useState(false)
  if (isMade) return <OpenedRunMenu run={run} onChanged={onChanged} />
  return <MenuButton label={runWords.actions(nameOfRun(run))} onPress={() => setMade(true)} />
}

function OpenedRunMenu({ run, onChanged }: RunMenuProps) {
  const { paths } = usePlace()
  const refusal = useEntryRefusal('build')
  const goTo = useGoTo()
  const { runId } = run
  const cancel = useChange('cancelRun', { refreshes: ['listRuns', 'runHistogram'] })
  const rerun = useChange('rerun', { refreshes: ['listRuns'] })
  const refused = (title: string) => (failure: { message: string }) =>
    showNotice({ tone: 'bad', title, detail: failure.message })
  const again = async () => {
    const started = await rerun.run({ params: { runId } }, refused(runWords.rerunFailed))
    if (started) goTo(paths.run(started.answer.runId))
  }
  const end = async () => {
    const ended = await cancel.run({ params: { runId } }, refused(runWords.cancelFailed))
    if (ended) onChanged(runId, ended.answer.status)
  }
  const entries: MenuEntry[] = [
    { id: 'open', label: runWords.open, href: paths.run(runId) },
    isEnded(run.status)
      ? { id: 'rerun', label: runWords.rerun, sends: true, ...refusal, onAction: () => void again() }
      : {
          id: 'cancel',
          label: runWords.cancel,
          isDanger: true,
          sends: true,
          ...refusal,
          onAction: () => void end(),
        },
    {
      id: 'copy',
      label: runWords.copyId,
      onAction: () => void copyAndSay(runId, runWords.copied),
    },
  ]
  return <ActionMenu isOpenAtFirst label={runWords.actions(nameOfRun(run))} entries={entries} />
}
