import type { AgentSummary } from '@troupe/builder-contract'
import { lazy, Suspense, useState } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { ChosenBar } from '../../atoms/table/chosen-bar.tsx'
import { agentWords as words } from '../../core/messages/en/lists.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'

const ExportBundleDialog = lazy(async () => ({
  default: (await import('../../parts/export-bundle/export-bundle-dialog.tsx')).ExportBundleDialog,
}))

/** What can be done with the chosen agents: archive them, or export them as one bundle. */
export function AgentSelection({ agents, onClear }: { agents: readonly AgentSummary[]; onClear(): void }) {
  const [opened, setOpened] = useState<'archive' | 'export' | null>(null)
  const refusal = { archive: useRefusal('build'), export: useRefusal('manage') }
  const open = agents.filter(({ status }) => status !== 'archived')
  const close = () => setOpened(null)
  return (
    <ChosenBar label={words.chosen(agents.length)} clear={words.clearChosen} onClear={onClear}>
      <RefusableButton size="small" refusal={refusal.export} onPress={() => setOpened('export')}>
        {words.exportChosen}
      </RefusableButton>
      {open.length > 0 && (
        <RefusableButton
          size="small"
          emphasis="danger"
          refusal={refusal.archive}
          onPress={() => setOpened('archive')}
        >
          {words.archiveChosen(open.length)}
        </RefusableButton>
      )}
      {opened === 'archive' && <ArchiveAgentsDialog agents={open} onClose={close} onDone={onClear} />}
      <Suspense>
        {opened === 'export' && (
          <ExportBundleDialog include={agents.map(({ agentId }) => `agent:${agentId}`)} onClose={close} />
        )}
      </Suspense>
    </ChosenBar>
  )
}

interface ArchiveAgentsDialogProps {
  agents: readonly AgentSummary[]
  onClose(): void
  onDone(): void
}

/** Archives one after the other. The first failure stops it and names its agent; those before stay archived. */
function ArchiveAgentsDialog({ agents, onClose, onDone }: ArchiveAgentsDialogProps) {
  const archive = useChange('setAgentStatus', { refreshes: ['listAgents', 'getAgent'] })
  // What is archived already leaves the list below, which is made from the former answer.
  const [toDo] = useState(agents)
  const [at, setAt] = useState(0)
  const [isRunning, setRunning] = useState(false)
  const users = [...new Set(toDo.flatMap(({ usedBy }) => usedBy.map(({ name }) => name)))]
  const run = async () => {
    setRunning(true)
    for (const [index, { agentId }] of toDo.entries()) {
      if (index < at) continue
      setAt(index)
      if (await archive.run({ params: { agentId }, body: { status: 'archived' } })) continue
      setRunning(false)
      return
    }
    showNotice({ title: words.archiveDone(toDo.length) })
    onDone()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.archiveTitle(toDo.length)}
      action={words.archiveChosen(toDo.length)}
      isDanger
      isPending={isRunning}
      failed={words.archiveFailed(toDo[at]?.name ?? '')}
      failure={archive.failure}
      onConfirm={() => void run()}
    >
      {users.length > 0 ? words.archiveUsed(users) : words.archiveText}
    </ConfirmDialog>
  )
}
