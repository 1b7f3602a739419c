import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { signOutOfPage } from '../../infrastructure/session/use-sign-in.ts'

const words = shellWords.signOutAsking

/** Asks before edits that were never sent are forgotten. */
export function SignOutQuestion({ unsent, onClose }: { unsent: number; onClose(): void }) {
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.title}
      action={words.action}
      isDanger
      onConfirm={() => void signOutOfPage()}
    >
      <p>{words.detail(unsent)}</p>
    </ConfirmDialog>
  )
}
