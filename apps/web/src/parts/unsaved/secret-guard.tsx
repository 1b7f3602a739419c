import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import { useLeaveGuard } from '../../infrastructure/routing/leave-guard.ts'
import { LeaveQuestion } from './leave-question.tsx'

/** Asks before the page is left on which a secret is shown, or about to be shown, for the only time. */
export function SecretGuard({ isActive }: { isActive: boolean }) {
  const held = useLeaveGuard(isActive)
  return (
    <LeaveQuestion held={held} title={words.secretTitle} action={words.secretLeave}>
      {words.secretText}
    </LeaveQuestion>
  )
}
