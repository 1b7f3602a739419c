import { DO_NOT_CALL_BATCH } from '@troupe/contract/builder'
import { useState } from 'react'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { typedNumbers } from '../../core/phone/typed-numbers.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import styles from './phone.module.css'

const words = phoneWords.doNotCall
/** Maximum listed invalid lines; the others are counted. */
const SHOWN = 5

/** Adds one number, or many pasted ones. Nothing is sent while a line is not a number. */
export function AddDoNotCallDialog({ onClose }: { onClose(): void }) {
  const typed = useTypedForm('do-not-call/new', { text: '', reason: '' })
  const { text, reason } = typed.fields
  const add = useChange('addDoNotCall', { refreshes: ['listDoNotCall'] })
  const [sent, setSent] = useState<number | null>(null)
  const [stored, setStored] = useState(0)
  const { numbers, wrong } = typedNumbers(text)
  const send = async () => {
    let added = 0
    let known = 0
    for (let from = 0; from < numbers.length; from += DO_NOT_CALL_BATCH) {
      setSent(from)
      setStored(from)
      const batch = numbers.slice(from, from + DO_NOT_CALL_BATCH)
      const done = await add.run({ body: { numbers: batch, reason: reason.trim() } })
      // Previously sent numbers are already on the list; sending them again changes nothing.
      if (!done) return setSent(null)
      added += done.answer.added
      known += done.answer.known
    }
    typed.discard()
    showNotice({ title: words.added(added), ...(known > 0 ? { detail: words.known(known) } : {}) })
    onClose()
  }
  const control = controlsOf(typed, add.failure)
  return (
    <FormDialog
      title={words.create}
      onClose={onClose}
      action={words.createAction(numbers.length)}
      onSubmit={send}
      isPending={sent !== null}
      isComplete={numbers.length > 0 && wrong.length === 0 && reason.trim() !== ''}
      missing={numbers.length > 0 && wrong.length === 0 && reason.trim() === '' ? words.reasonMissing : null}
      failed={stored > 0 ? words.partlyAdded(stored, numbers.length) : words.createFailed}
      failure={formFailure(add.failure, ['reason'])}
      typed={typed}
    >
      <TextArea
        label={words.numbers}
        description={words.numbersDetail}
        placeholder={words.numbersPlaceholder}
        rows={6}
        isMono
        autoFocus
        value={text}
        onChange={(next) => typed.change({ text: next })}
      />
      {wrong.length > 0 && (
        <Callout tone="warn">
          {words.wrong(wrong.length)}
          <ul className={styles.wrong}>
            {wrong.slice(0, SHOWN).map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be on two lines
              <li key={index}>
                <code translate="no">{line.slice(0, 60)}</code>
              </li>
            ))}
            {wrong.length > SHOWN && <li>{words.more(wrong.length - SHOWN)}</li>}
          </ul>
        </Callout>
      )}
      <TextField
        label={words.reason}
        placeholder={words.reasonPlaceholder}
        {...control('reason')}
        isRequired
        maxLength={500}
      />
      {sent !== null && numbers.length > DO_NOT_CALL_BATCH && (
        <p role="status">{words.sending(sent, numbers.length)}</p>
      )}
    </FormDialog>
  )
}
