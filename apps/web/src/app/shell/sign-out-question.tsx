import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { shellStateWords } from '../../core/messages/en/shell-states.ts'

const words = shellStateWords.signOutAsking

/** Confirms the deletion of unsent edits. */
export function SignOutQuestion({
  unsent,
  onSignOut,
  onClose,
}: {
  unsent: number
  onSignOut(): void
  onClose(): void
}) {
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.title}
      action={words.action}
      isDanger
      onConfirm={onSignOut}
    >
      <p>{words.detail(unsent)}</p>
    </ConfirmDialog>
  )
}
