import type { DoNotCallNumber } from '@troupe/contract/builder'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'

const words = phoneWords.doNotCall

interface NumberDialogParts {
  number: DoNotCallNumber
  onClose(): void
}

/** Changes the reason that a number is blocked. */
export function ChangeReasonDialog({ number: { e164, reason: before }, onClose }: NumberDialogParts) {
  const typed = useTypedForm(`do-not-call/${e164}`, { reason: before })
  const { reason } = typed.fields
  const change = useChange('confirmDoNotCall', { refreshes: ['listDoNotCall'] })
  const send = async () => {
    if (!(await change.run({ body: { e164, reason: reason.trim() } }))) return
    typed.discard()
    showNotice({ title: words.changed(e164) })
    onClose()
  }
  const control = controlsOf(typed, change.failure)
  return (
    <FormDialog
      title={words.changeTitle(e164)}
      onClose={onClose}
      action={words.changeAction}
      onSubmit={send}
      isPending={change.isPending}
      isComplete={reason.trim() !== '' && typed.isChanged}
      failed={words.changeFailed}
      failure={formFailure(change.failure, ['reason'])}
      typed={typed}
    >
      <TextField label={words.reason} {...control('reason')} autoFocus isRequired maxLength={500} />
    </FormDialog>
  )
}

/** Confirms the removal of a number from the list, or the dismissal of a proposal. */
export function RemoveDoNotCallDialog({ number: { e164, status, reason }, onClose }: NumberDialogParts) {
  const isProposed = status === 'proposed'
  return (
    <ConfirmChange
      operation="deleteDoNotCall"
      input={{ params: { e164 } }}
      refreshes={['listDoNotCall']}
      title={isProposed ? words.dismissTitle(e164) : words.removeTitle(e164)}
      action={isProposed ? words.dismissAction : words.removeAction}
      failed={words.removeFailed}
      done={isProposed ? words.dismissed(e164) : words.removed(e164)}
      onClose={onClose}
    >
      <p>“{reason}”</p>
      <p>{isProposed ? words.dismissDetail : words.removeDetail}</p>
    </ConfirmChange>
  )
}
