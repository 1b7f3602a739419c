import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import type { HeldLeave } from '../../infrastructure/routing/leave-guard.ts'

export interface LeaveQuestionProps {
  held: HeldLeave | null
  title: string
  /** The verb of the button: "Leave". */
  action: string
  /** The data that would be lost. */
  children: ReactNode
}

/** Asks before leaving a page that would lose data; nothing otherwise. */
export function LeaveQuestion({ held, title, action, children }: LeaveQuestionProps) {
  return (
    <ConfirmDialog
      isOpen={held !== null}
      onClose={() => held?.stay()}
      title={title}
      action={action}
      isDanger
      onConfirm={() => held?.leave()}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
