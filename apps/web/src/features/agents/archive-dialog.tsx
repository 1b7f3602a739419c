import type { AgentDetails } from '@troupe/builder-contract'
import { Button } from '../../atoms/controls/button.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import type { FailurePanelProps } from '../../atoms/states/failure-panel.tsx'
import { agentEditorWords as words } from '../../core/messages/en/agents/agent-editor.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

export interface ArchiveDialogProps {
  name: string
  usedBy: AgentDetails['usedBy']
  isOpen: boolean
  onClose(): void
  isPending: boolean
  failure: FailurePanelProps['failure']
  onArchive(): void
}

/** Asks before an agent is archived; one that is used is not, and the dialog leads to what uses it. */
export function ArchiveDialog({ name, usedBy, ...dialog }: ArchiveDialogProps) {
  const { isOpen, onClose, isPending, failure, onArchive } = dialog
  const { paths } = usePlace()
  const hrefOf = { agent: paths.agent, team: paths.team, workflow: paths.workflow }
  if (usedBy.length > 0)
    return (
      <Dialog
        isOpen={isOpen}
        onClose={onClose}
        title={words.archiveRefused(name)}
        actions={<Button onPress={onClose}>{words.close}</Button>}
      >
        <p>{words.archiveUsers}</p>
        <ul>
          {usedBy.map((user) => (
            <li key={`${user.kind} ${user.id}`}>
              <TextLink href={hrefOf[user.kind](user.id)}>{user.name}</TextLink>
            </li>
          ))}
        </ul>
      </Dialog>
    )
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.archiveTitle(name)}
      action={words.archiveAction}
      isDanger
      isPending={isPending}
      failed={words.statusFailed}
      failure={failure}
      onConfirm={onArchive}
    >
      {words.archiveText}
    </ConfirmDialog>
  )
}
