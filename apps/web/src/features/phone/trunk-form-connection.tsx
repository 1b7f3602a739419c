import { Button } from '../../atoms/controls/button.tsx'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { StoredSecret } from '../../atoms/controls/stored-secret.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { sectionPlace } from '../../atoms/layout/section-list.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { settingElementId } from '../../parts/config-form/setting-element-id.ts'
import styles from './phone.module.css'
import type { TrunkFormParts } from './trunk-form-parts.ts'

const words = phoneWords.fields
const STATUSES = ['active', 'disabled', 'draft'] as const
const TRANSPORTS = ['auto', 'udp', 'tcp', 'tls'] as const
const DIRECTIONS = ['outbound', 'inbound'] as const

interface PasswordProps {
  /** null: the stored one is kept. */
  password: string | null
  onPassword(password: string | null): void
  /** The stored password may be kept. */
  isStored: boolean
  /** The stored password belongs to another address. */
  hasMoved: boolean
}

/** The carrier's address, and the trunk's account there. */
export function ConnectionFields(props: TrunkFormParts & PasswordProps) {
  const { fields, change, control, fault, password, onPassword, isStored, hasMoved } = props
  return (
    <Section id={sectionPlace('connection')} title={words.connection}>
      <Card>
        <div className={styles.pair}>
          <div id={settingElementId('name')}>
            <TextField label={words.name} {...control('name')} isRequired maxLength={128} />
          </div>
          <Select
            label={words.status}
            {...control('status')}
            options={STATUSES.map((id) => ({ id, label: words.statuses[id] }))}
          />
        </div>
        <div className={styles.pair}>
          <TextField
            label={words.address}
            description={words.addressDetail}
            {...control('address')}
            isRequired
            isMono
            maxLength={261}
          />
          <Select
            label={words.transport}
            {...control('transport')}
            options={TRANSPORTS.map((id) => ({ id, label: words.transports[id] }))}
          />
        </div>
        <div className={styles.pair}>
          <TextField
            label={words.authUsername}
            description={words.authDetail}
            value={fields.authUsername}
            onChange={(authUsername) => change({ authUsername })}
            isOptional
            autoComplete="off"
            maxLength={256}
            error={fault('auth.username')}
          />
          {fields.authUsername.trim() !== '' && (
            <PasswordField
              isStored={isStored}
              hasMoved={hasMoved}
              password={password}
              onPassword={onPassword}
              error={fault('auth.password')}
            />
          )}
        </div>
        <RadioGroup
          label={words.direction}
          {...control('direction')}
          options={DIRECTIONS.map((id) => ({ id, ...words.directions[id] }))}
        />
      </Card>
    </Section>
  )
}

interface PasswordFieldProps extends PasswordProps {
  error: string | null
}

/** A write-only password. */
function PasswordField({ isStored, hasMoved, password, onPassword, error }: PasswordFieldProps) {
  if (isStored && password === null) {
    return (
      <StoredSecret label={words.password} text={words.passwordStored} error={error}>
        <Button size="small" aria-label={words.replacePassword} onPress={() => onPassword('')}>
          {words.replace}
        </Button>
      </StoredSecret>
    )
  }
  return (
    <div className={styles.secret}>
      <TextField
        label={words.password}
        description={hasMoved ? words.passwordMoved : words.passwordOnce}
        isSecret
        autoComplete="new-password"
        autoFocus={isStored}
        value={password ?? ''}
        onChange={onPassword}
        isRequired={!isStored}
        maxLength={256}
        error={error}
      />
      {isStored && (
        <Button size="small" emphasis="quiet" onPress={() => onPassword(null)}>
          {words.keep}
        </Button>
      )}
    </div>
  )
}
