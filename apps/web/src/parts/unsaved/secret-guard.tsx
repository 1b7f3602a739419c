import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import { type HeldLeave, useLeaveGuard } from '../../infrastructure/routing/leave-guard.ts'
import { LeaveQuestion } from './leave-question.tsx'

export interface SecretGuardProps {
  isActive: boolean
  /** An attempt to close the dialog that shows it. */
  closing: HeldLeave | null
  /** The shown secret, as its dialog calls it. */
  kind?: 'secret' | 'link'
}

/** Asks before leaving the page or the dialog that shows a secret, or is about to, for the only time. */
export function SecretGuard({ isActive, closing, kind = 'secret' }: SecretGuardProps) {
  const held = useLeaveGuard(isActive)
  return (
    <LeaveQuestion held={held ?? closing} title={words.secretTitle(kind)} action={words.secretLeave}>
      {words.secretText}
    </LeaveQuestion>
  )
}
