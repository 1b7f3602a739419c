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
export function AdvancedFields({ fields, change, fault }: TrunkFormParts) {
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={words.mediaEncryption}
          value={fields.mediaEncryption}
          onChange={(mediaEncryption) => change({ mediaEncryption })}
          options={ENCRYPTIONS.map((id) => ({ id, label: words.mediaEncryptions[id] }))}
          error={fault('mediaEncryption')}
        />
        <NumberField
          label={words.mediaTimeoutS}
          description={words.mediaTimeoutDetail}
          value={fields.mediaTimeoutS}
          onChange={(mediaTimeoutS) => change({ mediaTimeoutS })}
          minValue={5}
          maxValue={3_600}
          isOptional
          unit={words.seconds}
          error={fault('mediaTimeoutS')}
        />
      </div>
      <TextField
        label={words.fromUser}
        description={words.fromUserDetail}
        value={fields.fromUser}
        onChange={(fromUser) => change({ fromUser })}
        isOptional
        isMono
        maxLength={64}
        error={fault('fromUser')}
      />
      <RadioGroup
        label={words.provisioning}
        value={fields.provisioning}
        onChange={(provisioning) => change({ provisioning })}
        options={PROVISIONINGS.map((id) => ({ id, ...words.provisionings[id] }))}
        error={fault('provisioning')}
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
