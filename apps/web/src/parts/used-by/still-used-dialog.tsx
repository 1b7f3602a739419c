import { Button } from '../../atoms/controls/button.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { atomWords } from '../../core/messages/en/atoms.ts'
import { type ShownUser, UserLinks } from './used-by.tsx'

export interface StillUsedDialogProps {
  /** "“CRM” cannot be deleted yet". */
  title: string
  /** What they would miss. */
  detail: string
  users: readonly ShownUser[]
  onClose(): void
}

/** In place of the question whether something is deleted, while it is used: the server would refuse. It leads to what uses it. */
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
