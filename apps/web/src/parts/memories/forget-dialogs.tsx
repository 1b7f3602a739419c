import type { UserMemory } from '@troupe/contract'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { memoryWords as words } from '../../core/messages/en/resources/memories.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'

/** Asks before one memory is forgotten. */
export function ForgetMemoryDialog({ memory, onClose }: { memory: UserMemory; onClose(): void }) {
  const { memoryId, text } = memory
  const forget = useChange('deleteMemory', { refreshes: ['listMemories'] })
  const confirm = async () => {
    if (!(await forget.run({ params: { memoryId } }))) return
    showNotice({ title: words.forgotten })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.forgetTitle}
      action={words.forgetAction}
      isDanger
      isPending={forget.isPending}
      failed={words.forgetFailed}
      failure={forget.failure}
      onConfirm={confirm}
    >
      {text}
    </ConfirmDialog>
  )
}

/** Asks before a user is forgotten everywhere; the id is typed, because it cannot be taken back. */
export function ForgetUserDialog({ userId, onClose }: { userId: string; onClose(): void }) {
  const forget = useChange('forgetUser', { refreshes: ['listMemories'] })
  const confirm = async () => {
    if (!(await forget.run({ query: { user_id: userId } }))) return
    showNotice({ title: words.userForgotten(userId) })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.forgetUserTitle(userId)}
      action={words.forgetUserAction}
      isDanger
      isPending={forget.isPending}
      typed={userId}
      failed={words.forgetUserFailed}
      failure={forget.failure}
      onConfirm={confirm}
    >
      {words.forgetUserDetail}
    </ConfirmDialog>
  )
}
