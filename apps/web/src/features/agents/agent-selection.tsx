import type { AgentId, IdText } from '@troupe/contract'
import type { AgentSummary } from '@troupe/contract/builder'
import { useState } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { ChosenBar } from '../../atoms/table/chosen-bar.tsx'
import type { RowChoice } from '../../atoms/table/use-chosen-rows.ts'
import { agentWords as words } from '../../core/messages/en/agents/agents.ts'
import { NAMES_USES } from '../../infrastructure/queries/names-uses.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { ExportThing } from '../../parts/export-bundle/export-thing.tsx'
import { MoveButton } from '../../parts/move-things/move-button.tsx'
import { StillUsedDialog } from '../../parts/used-by/still-used-dialog.tsx'

/** Actions on the selected agents of all pages: archive them, or export them as one bundle. */
export function AgentSelection({ choice }: { choice: RowChoice<AgentSummary> }) {
  const { rows: agents, elsewhere, clear, drop } = choice
  const [opened, setOpened] = useState<'archive' | 'export' | null>(null)
  const refusal = { archive: useRefusal('build'), export: useRefusal('manage') }
  const open = agents.filter(({ status }) => status !== 'archived')
  const close = () => setOpened(null)
  return (
    <ChosenBar label={words.chosen(agents.length, elsewhere)} clear={words.clearChosen} onClear={clear}>
      <MoveButton
        things={agents.map(({ agentId: id, name, projectId }) => ({ kind: 'agent', id, name, projectId }))}
        onMoved={clear}
      />
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
      {opened === 'archive' && <ArchiveAgentsDialog agents={open} onClose={close} onArchived={drop} />}
      {opened === 'export' && (
        <ExportThing include={agents.map(({ agentId }) => `agent:${agentId}`)} onClose={close} />
      )}
    </ChosenBar>
  )
}

interface ArchiveAgentsDialogProps {
  agents: readonly AgentSummary[]
  onClose(): void
  onArchived(agentId: IdText<AgentId>): void
}

/**
 * Archives the agents sequentially, without those that are used. The first failure stops it and names its agent; earlier ones remain
 * archived.
 */
function ArchiveAgentsDialog({ agents, onClose, onArchived }: ArchiveAgentsDialogProps) {
  const archive = useChange('setAgentStatus', { refreshes: NAMES_USES })
  // Archived ones are removed from the selection.
  const [toDo] = useState(agents.filter(({ usedBy }) => usedBy.length === 0))
  const [used] = useState(agents.filter(({ usedBy }) => usedBy.length > 0))
  const [at, setAt] = useState(0)
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    for (const [index, { agentId }] of toDo.entries()) {
      if (index < at) continue
      setAt(index)
      if (!(await archive.run({ params: { agentId }, body: { status: 'archived' } }))) {
        setRunning(false)
        return
      }
      onArchived(agentId)
    }
    showNotice({ title: words.archiveDone(toDo.length) })
    onClose()
  }
  if (toDo.length === 0) {
    const users = used.flatMap(({ usedBy }) => usedBy)
    return (
      <StillUsedDialog
        title={words.archiveRefused(used.length)}
        detail={words.archiveUsers}
        users={[...new Map(users.map((user) => [user.id, user])).values()]}
        onClose={onClose}
      />
    )
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
      <p>{words.archiveText}</p>
      {used.length > 0 && <p>{words.archiveKept(used.map(({ name }) => name))}</p>}
    </ConfirmDialog>
  )
}
