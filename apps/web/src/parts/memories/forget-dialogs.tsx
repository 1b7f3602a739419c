import type { UserMemory } from '@troupe/contract'
import { memoryWords as words } from '../../core/messages/en/resources/memories.ts'
import { ConfirmChange } from '../confirm-change/confirm-change.tsx'

/** Confirms the deletion of one memory. */
export function ForgetMemoryDialog({ memory, onClose }: { memory: UserMemory; onClose(): void }) {
  const { memoryId, text } = memory
  return (
    <ConfirmChange
      operation="deleteMemory"
      input={{ params: { memoryId } }}
      refreshes={['listMemories']}
      title={words.forgetTitle}
      action={words.forgetAction}
      failed={words.forgetFailed}
      done={words.forgotten}
      onClose={onClose}
    >
      {text}
    </ConfirmChange>
  )
}

/** Confirms the deletion of all memories of a user; the id must be typed, because it is irreversible. */
export function ForgetUserDialog({ userId, onClose }: { userId: string; onClose(): void }) {
  return (
    <ConfirmChange
      operation="forgetUser"
      input={{ query: { user_id: userId } }}
      refreshes={['listMemories']}
      title={words.forgetUserTitle(userId)}
      action={words.forgetUserAction}
      typed={userId}
      failed={words.forgetUserFailed}
      done={words.userForgotten(userId)}
      onClose={onClose}
    >
      {words.forgetUserDetail}
    </ConfirmChange>
  )
}
