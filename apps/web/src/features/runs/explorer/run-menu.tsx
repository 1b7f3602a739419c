import type { ListedRun } from '@troupe/builder-contract'
import { useState } from 'react'
import { copyText } from '../../../atoms/controls/copy-text.ts'
import { ActionMenu, MenuButton, type MenuEntry } from '../../../atoms/overlays/menu.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/session/session.ts'
import { nameOfRun } from './run-columns.tsx'

/** What can be done with one run of the list. */
export function RunMenu({ run }: { run: ListedRun }) {
  const [isMade, setMade] = useState(false)
  if (isMade) return <OpenedRunMenu run={run} />
  return <MenuButton label={runWords.actions(nameOfRun(run))} onPress={() => setMade(true)} />
}

function OpenedRunMenu({ run }: { run: ListedRun }) {
  const { paths, may } = usePlace()
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
  const entries: MenuEntry[] = [
    { id: 'open', label: runWords.open, href: paths.run(runId) },
    ...(may('build') && isEnded(run.status)
      ? [{ id: 'rerun', label: runWords.rerun, onAction: () => void again() }]
      : []),
    ...(may('build') && !isEnded(run.status)
      ? [
          {
            id: 'cancel',
            label: runWords.cancel,
            isDanger: true,
            onAction: () => void cancel.run({ params: { runId } }, refused(runWords.cancelFailed)),
          },
        ]
      : []),
    {
      id: 'copy',
      label: runWords.copyId,
      onAction: () =>
        void copyText(runId).then((isCopied) => isCopied && showNotice({ title: runWords.copied })),
    },
  ]
  return (
    <ActionMenu isOpenAtFirst label={runWords.actions(nameOfRun(run))} groups={[{ id: 'run', entries }]} />
  )
}
