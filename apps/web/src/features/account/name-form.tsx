import { TextField } from '../../atoms/controls/text-field.tsx'
import { focusNext, pageHeading } from '../../atoms/focus/focus-next.ts'
import { Card, FormLayout, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { RestoredNote } from '../../atoms/states/restored-note.tsx'
import { accountWords as words } from '../../core/messages/en/account.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './account.module.css'

/** The user's name. */
export function NameForm() {
  const { person } = usePlace().session
  const typed = useTypedForm('account', { name: person.name })
  const save = useChange('renamePerson', { refreshes: ['getSession'] })
  const { name } = typed.fields
  const isSavable = typed.isChanged && name.trim() !== ''
  const send = async () => {
    if (!isSavable || !(await save.run({ body: { name } }))) return
    // The server trims spaces and line breaks: the stored name is shown.
    typed.discard()
    showNotice({ title: words.nameSaved })
    focusNext(pageHeading)
  }
  const control = controlsOf(typed, save.failure)
  return (
    <Section title={words.yourName}>
      <Card>
        <FormLayout
          label={words.yourName}
          onSubmit={() => void send()}
          actions={
            <SendButton type="submit" isPending={save.isPending} isDisabled={!isSavable}>
              {words.saveName}
            </SendButton>
          }
        >
          <RestoredNote typed={typed} />
          <FailurePanel title={words.nameFailed} failure={formFailure(save.failure, ['name'])} />
          <div className={styles.rows} data-rows="">
            <TextField
              label={words.name}
              description={words.nameDetail}
              name="name"
              autoComplete="name"
              {...control('name')}
              maxLength={128}
            />
          </div>
        </FormLayout>
      </Card>
    </Section>
  )
}
