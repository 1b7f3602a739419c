import { type ReactNode, useState } from 'react'
import { isSameWords } from '../../core/format/same-words.ts'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { TextField } from '../controls/text-field.tsx'
import { FailurePanel, type FailurePanelProps } from '../states/failure-panel.tsx'
import { Dialog } from './dialog.tsx'
import { SendButton } from './send-button.tsx'

export interface ConfirmDialogProps {
  isOpen: boolean
  onClose(): void
  title: string
  /** The effect, and its irreversible part. */
  children: ReactNode
  /** The verb of the button: "Delete agent". */
  action: string
  isDanger?: boolean
  /** While it is sent; absent where nothing is sent. */
  isPending?: boolean
  /** A name that must be typed first, for resources that many depend on. */
  typed?: string
  /** The title of a failure: "The agent was not deleted". */
  failed?: string
  failure?: FailurePanelProps['failure']
  onConfirm(): void
}

/** Confirms an irreversible action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    onClose,
    title,
    children,
    action,
    isDanger = false,
    isPending,
    typed,
    failed,
    failure = null,
    onConfirm,
  } = props
  const ActionButton = isPending === undefined ? Button : SendButton
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      role="alertdialog"
      actions={
        <>
          <Button emphasis="quiet" onPress={close}>
            {words.cancel}
          </Button>
          <ActionButton
            emphasis={isDanger ? 'danger' : 'primary'}
            isPending={isPending ?? false}
            isDisabled={typed !== undefined && !isSameWords(text, typed)}
            onPress={onConfirm}
          >
            {action}
          </ActionButton>
        </>
      }
    >
      <div>{children}</div>
      {failed !== undefined && <FailurePanel title={failed} failure={failure} />}
      {typed !== undefined && (
        <TextField label={words.confirmName(typed)} value={text} onChange={setText} autoComplete="off" />
      )}
    </Dialog>
  )
}
