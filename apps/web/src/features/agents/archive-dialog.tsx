import type { AgentDetails } from '@troupe/contract/builder'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import type { FailurePanelProps } from '../../atoms/states/failure-panel.tsx'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { agentSectionWords as sectionWords } from '../../core/messages/en/agents/agent-sections.ts'
import { StillUsedDialog } from '../../parts/used-by/still-used-dialog.tsx'

export interface ArchiveDialogProps {
  name: string
  usedBy: AgentDetails['usedBy']
  isOpen: boolean
  onClose(): void
  isPending: boolean
  failure: FailurePanelProps['failure']
  onArchive(): void
}

/** Confirms archiving an agent. An agent in use is not archived; the dialog links to its uses. */
export function ArchiveDialog({ name, usedBy, ...dialog }: ArchiveDialogProps) {
  const { isOpen, onClose, isPending, failure, onArchive } = dialog
  if (usedBy.length > 0)
    return isOpen ? (
      <StillUsedDialog
        title={sectionWords.archiveRefused(name)}
        detail={sectionWords.archiveUsers}
        users={usedBy}
        onClose={onClose}
      />
    ) : null
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={sectionWords.archiveTitle(name)}
      action={sectionWords.archiveAction}
      isDanger
      isPending={isPending}
      failed={words.statusFailed}
      failure={failure}
      onConfirm={onArchive}
    >
      {sectionWords.archiveText}
    </ConfirmDialog>
  )
}
