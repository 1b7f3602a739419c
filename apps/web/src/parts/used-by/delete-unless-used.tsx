import type { ReactNode } from 'react'
import type { AnswerOf, InputOf, OperationName } from '../../infrastructure/client/operation-types.ts'
import { ConfirmChange } from '../confirm-change/confirm-change.tsx'
import { StillUsedDialog } from './still-used-dialog.tsx'
import { type ShownUser, UserLinks } from './used-by.tsx'

/** The texts for the deletion of a kind of resource. */
export interface DeletionWords {
  removeTitle(name: string): string
  removeAction: string
  removeFailed: string
  removed(name: string): string
  removeRefused(name: string): string
  removeUsed: string
  /** The note about uses that only refer to it; absent: none. */
  removeNamed?: string
}

export interface DeleteUnlessUsedProps<Name extends OperationName> {
  operation: Name
  input: InputOf<Name>
  refreshes: readonly OperationName[]
  name: string
  words: DeletionWords
  /** Its uses; null: not loaded yet. */
  users: readonly ShownUser[] | null
  /** Whether a use depends on it. */
  needsIt?(user: ShownUser): boolean
  /** The effect, and its irreversible part. */
  children: ReactNode
  /** Its name must be typed first, because many resources depend on it. */
  isTyped?: boolean
  onClose(): void
  /** Called instead of `onClose` after the deletion. */
  onRemoved?(answer: AnswerOf<Name>): void
}

const always = () => true

/** Confirms the deletion of a resource. A required one is not deleted; the dialog links to its uses. */
export function DeleteUnlessUsed<Name extends OperationName>(props: DeleteUnlessUsedProps<Name>) {
  const { operation, input, refreshes, name, words, users, needsIt = always, children } = props
  const { isTyped = false, onClose, onRemoved } = props
  if (users?.some(needsIt)) {
    const title = words.removeRefused(name)
    return <StillUsedDialog title={title} detail={words.removeUsed} users={users} onClose={onClose} />
  }
  return (
    <ConfirmChange
      operation={operation}
      input={input}
      refreshes={refreshes}
      title={words.removeTitle(name)}
      action={words.removeAction}
      {...(isTyped ? { typed: name } : {})}
      failed={words.removeFailed}
      done={words.removed(name)}
      onClose={onClose}
      {...(onRemoved ? { onDone: onRemoved } : {})}
    >
      {children}
      {users && users.length > 0 && words.removeNamed && (
        <>
          <p>{words.removeNamed}</p>
          <UserLinks users={users} none="" />
        </>
      )}
    </ConfirmChange>
  )
}
