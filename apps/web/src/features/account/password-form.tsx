import { useState } from 'react'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { focusNext, pageHeading } from '../../atoms/focus/focus-next.ts'
import { Card, FormLayout, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { accountWords as words } from '../../core/messages/en/account.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import styles from './account.module.css'

const EMPTY = { current: '', next: '' }

/** The user's password. Typed passwords are never stored on the device. */
export function PasswordForm({ email }: { email: string }) {
  const [fields, setFields] = useState(EMPTY)
  const save = useChange('changePassword', { refreshes: ['listSignIns'] })
  const isSavable = fields.current !== '' && fields.next !== ''
  const send = async () => {
    if (!isSavable || !(await save.run({ body: fields }))) return
    setFields(EMPTY)
    showNotice({ title: words.passwordSaved, detail: words.passwordSavedDetail })
    focusNext(pageHeading)
  }
  return (
    <Section title={words.password} detail={words.passwordDetail}>
      <Card>
        <FormLayout
          label={words.password}
          onSubmit={() => void send()}
          actions={
            <SendButton type="submit" isPending={save.isPending} isDisabled={!isSavable}>
              {words.savePassword}
            </SendButton>
          }
        >
          <FailurePanel
            title={words.passwordFailed}
            failure={formFailure(save.failure, ['current', 'next'])}
          />
          {/* Names the user for the browser's password manager. */}
          <input type="text" name="username" value={email} autoComplete="username" readOnly hidden />
          <div className={styles.rows} data-rows="">
            <TextField
              label={words.current}
              type="password"
              name="current"
              autoComplete="current-password"
              maxLength={128}
              value={fields.current}
              onChange={(current) => setFields({ ...fields, current })}
              error={fieldFailure(save.failure, 'current')}
            />
            <TextField
              label={words.next}
              description={words.nextDetail}
              type="password"
              name="next"
              autoComplete="new-password"
              maxLength={128}
              value={fields.next}
              onChange={(next) => setFields({ ...fields, next })}
              error={fieldFailure(save.failure, 'next')}
            />
          </div>
        </FormLayout>
      </Card>
    </Section>
  )
}
