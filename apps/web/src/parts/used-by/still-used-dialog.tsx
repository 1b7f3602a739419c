import { Button } from '../../atoms/controls/button.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { atomWords } from '../../core/messages/en/atoms.ts'
import { type ShownUser, UserLinks } from './used-by.tsx'

export interface StillUsedDialogProps {
  /** "“CRM” cannot be deleted yet". */
  title: string
  /** The effect on its users. */
  detail: string
  users: readonly ShownUser[]
  onClose(): void
}

/** Replaces the delete confirmation of a resource in use, which the server would refuse. Links to the uses. */
export function StillUsedDialog({ title, detail, users, onClose }: StillUsedDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={<Button onPress={onClose}>{atomWords.close}</Button>}
    >
      <p>{detail}</p>
      <UserLinks users={users} none="" />
    </Dialog>
  )
}
