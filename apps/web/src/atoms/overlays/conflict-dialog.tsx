import type { ReactNode } from 'react'
import { conflictWords } from '../../core/messages/en/conflict.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

export interface ConflictDialogProps {
  isOpen: boolean
  /** Closes it without a decision: nothing is sent, the edit stays. */
  onClose(): void
  /** The author of the change; null: unknown. */
  who: string | null
  /** When, in words. */
  when: string
  /** The noun: "agent". */
  what: string
  /** The differences, for example a diff per field. */
  children?: ReactNode
  onTakeTheirs(): void
  onKeepMine(): void
  /** Only if both can be merged. */
  onMerge?: () => void
  isPending?: boolean
}

/** Somebody else saved in between: keep theirs, mine or both. */
export function ConflictDialog(props: ConflictDialogProps) {
  const {
    isOpen,
    onClose,
    who,
    when,
    what,
    children,
    onTakeTheirs,
    onKeepMine,
    onMerge,
    isPending = false,
  } = props
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={conflictWords.title(who, what, when)}
      width="wide"
      isDismissable={false}
      actions={
        <>
          <Button onPress={onTakeTheirs} isDisabled={isPending}>
            {conflictWords.takeTheirs}
          </Button>
          <Button
            onPress={onKeepMine}
            isPending={isPending && !onMerge}
            emphasis={onMerge ? 'secondary' : 'primary'}
          >
            {conflictWords.keepMine}
          </Button>
          {onMerge && (
            <Button emphasis="primary" onPress={onMerge} isPending={isPending}>
              {conflictWords.merge}
            </Button>
          )}
        </>
      }
    >
      <p>{conflictWords.kept}</p>
      {children}
    </Dialog>
  )
}
