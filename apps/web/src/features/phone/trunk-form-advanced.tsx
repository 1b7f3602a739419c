import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { HeaderRows } from '../../parts/header-rows/header-rows.tsx'
import styles from './phone.module.css'
import type { TrunkFormParts } from './trunk-form-parts.ts'

const words = phoneWords.fields
const ENCRYPTIONS = ['disabled', 'allowed', 'required'] as const
const PROVISIONINGS = ['auto', 'assumed', 'never'] as const

/** Settings that few carriers need. */
export function AdvancedFields({ fields, change, control, fault }: TrunkFormParts) {
  return (
    <>
      <div className={styles.rows} data-rows="">
        <Select
          label={words.mediaEncryption}
          {...control('mediaEncryption')}
          options={ENCRYPTIONS.map((id) => ({ id, label: words.mediaEncryptions[id] }))}
        />
        <NumberField
          label={words.mediaTimeoutS}
          description={words.mediaTimeoutDetail}
          {...control('mediaTimeoutS')}
          minValue={5}
          maxValue={3_600}
          isOptional
          unit={words.seconds}
        />
        <TextField
          label={words.fromUser}
          description={words.fromUserDetail}
          {...control('fromUser')}
          isOptional
          isMono
          maxLength={64}
        />
      </div>
      <RadioGroup
        label={words.provisioning}
        {...control('provisioning')}
        options={PROVISIONINGS.map((id) => ({ id, ...words.provisionings[id] }))}
      />
      <HeaderRows
        label={words.headers}
        words={words}
        detail={words.headersDetail}
        namePlaceholder="X-Customer"
        rows={fields.headers}
        empty={{ name: '', value: '' }}
        onChange={(headers) => change({ headers })}
        error={fault('headers')}
      />
    </>
  )
}
