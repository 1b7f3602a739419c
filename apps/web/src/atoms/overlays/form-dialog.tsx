import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../controls/button.tsx'
import { focusFaulty } from '../focus/focus-faulty.ts'
import { CommandEnter } from '../keys/command-enter.tsx'
import { FormLayout } from '../layout/page.tsx'
import { ContestedForm } from '../states/contested-note.tsx'
import { FailurePanel, type FailurePanelProps } from '../states/failure-panel.tsx'
import { RestoredNote, type RestoredNoteProps } from '../states/restored-note.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { SendButton } from './send-button.tsx'

export interface DialogFormProps {
  label: string
  onClose(): void
  /** The verb of the button: "Create project". */
  action: string
  onSubmit(): void
  isPending: boolean
  /** Nothing is sent: the form changes the page only. */
  isLocal?: boolean
  /** False while the input can't be sent. */
  isComplete?: boolean
  /** The missing input, beside the button; null: none. */
  missing?: string | null
  children: ReactNode
}

export interface FormDialogProps extends Omit<DialogFormProps, 'label'> {
  title: string
  /** The title of a failure that belongs to no field. */
  failed: string
  failure: FailurePanelProps['failure']
  /** Input that is kept beyond the dialog: restored input, and conflicts with another user's save, are shown and can be discarded. */
  typed?: RestoredNoteProps['typed'] & { readonly contested?: readonly string[] }
  width?: 'normal' | 'wide'
}

/**
 * A form in a dialog with Cancel and its button at the foot. Enter sends it, and `⌘Enter` also from a text of many lines; of fields that
 * are refused, the first gets the focus.
 */
export function DialogForm(props: DialogFormProps) {
  const { label, onClose, action, onSubmit, isPending, children } = props
  const { isLocal = false, isComplete = true, missing = null } = props
  const form = useRef<HTMLFormElement>(null)
  const wasPending = useRef(isPending)
  useEffect(() => {
    if (wasPending.current && !isPending) focusFaulty(form.current)
    wasPending.current = isPending
  }, [isPending])
  const SubmitButton = isLocal ? Button : SendButton
  return (
    <CommandEnter onEnter={() => isComplete && form.current?.requestSubmit()}>
      <FormLayout
        ref={form}
        label={label}
        // Enter in the only field of a form sends it also while its button is busy.
        onSubmit={() => {
          if (!isPending) onSubmit()
        }}
      >
        {children}
        <DialogActions missing={missing} onCancel={onClose}>
          <SubmitButton emphasis="primary" type="submit" isPending={isPending} isDisabled={!isComplete}>
            {action}
          </SubmitButton>
        </DialogActions>
      </FormLayout>
    </CommandEnter>
  )
}

/** A short form above the page. */
export function FormDialog(props: FormDialogProps) {
  const { title, failed, failure, typed, width = 'normal', children, ...form } = props
  return (
    <Dialog isOpen onClose={form.onClose} title={title} width={width}>
      <DialogForm label={title} {...form}>
        <FailurePanel title={failed} failure={failure} />
        {typed && <RestoredNote typed={typed} />}
        {typed?.contested && typed.contested.length > 0 && <ContestedForm onTakeTheirs={typed.discard} />}
        {children}
      </DialogForm>
    </Dialog>
  )
}
