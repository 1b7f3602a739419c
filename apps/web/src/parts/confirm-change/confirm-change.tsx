import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import type { AnswerOf, InputOf, OperationName } from '../../infrastructure/client/operation-types.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'

export interface ConfirmChangeProps<Name extends OperationName> {
  /** The request sent after the confirmation. */
  operation: Name
  input: InputOf<Name>
  /** Operations whose responses it changes. */
  refreshes: readonly OperationName[]
  title: string
  /** The effect, and its irreversible part. */
  children: ReactNode
  /** The verb of the button: "Delete agent". */
  action: string
  /** Whether the change loses data. */
  isDanger?: boolean
  /** A name that must be typed first, for changes that affect many others. */
  typed?: string
  /** The title of a failure: "The agent was not deleted". */
  failed: string
  /** The notice of its success; none when absent. */
  done?: string
  onClose(): void
  /** Called instead of `onClose` after a success. */
  onDone?(answer: AnswerOf<Name>): void
}

/** Confirms one irreversible change, sends it, and stays open with the reason if it fails. */
export function ConfirmChange<Name extends OperationName>(props: ConfirmChangeProps<Name>) {
  const { operation, input, refreshes, isDanger = true, done, onClose, onDone, ...dialog } = props
  const change = useChange(operation, { refreshes })
  const confirm = async () => {
    const changed = await change.run(input)
    if (!changed) return
    if (done !== undefined) showNotice({ title: done })
    if (onDone) onDone(changed.answer)
    else onClose()
  }
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      onClose={onClose}
      isDanger={isDanger}
      isPending={change.isPending}
      failure={change.failure}
      onConfirm={confirm}
    />
  )
}
