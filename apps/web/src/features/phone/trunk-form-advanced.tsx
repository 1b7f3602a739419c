import { Plus, X } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import type { TrunkHeader } from '../../core/phone/trunk-fields.ts'
import styles from './phone.module.css'
import type { TrunkFormParts } from './trunk-form-parts.ts'

const words = phoneWords.fields
const ENCRYPTIONS = ['disabled', 'allowed', 'required'] as const
const PROVISIONINGS = ['auto', 'assumed', 'never'] as const
const SECONDS: Intl.NumberFormatOptions = { style: 'unit', unit: 'second', unitDisplay: 'long' }

/** What few carriers need. */
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
          format={SECONDS}
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
      <SipHeaderRows
        rows={fields.headers}
        onChange={(headers) => change({ headers })}
        error={fault('headers')}
      />
    </>
  )
}

interface SipHeaderRowsProps {
  rows: readonly TrunkHeader[]
  onChange(rows: TrunkHeader[]): void
  error: string | null
}

function SipHeaderRows({ rows, onChange, error }: SipHeaderRowsProps) {
  const put = (index: number, part: Partial<TrunkHeader>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className={styles.headers}>
      <legend className={styles.legend}>{words.headers}</legend>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name of a row changes while it is typed
        <div key={index} className={styles.header}>
          <TextField
            label={words.headerName}
            isLabelHidden
            isMono
            placeholder="X-Customer"
            value={row.name}
            onChange={(name) => put(index, { name })}
          />
          <TextField
            label={words.headerValue}
            isLabelHidden
            isMono
            placeholder={words.headerValue}
            value={row.value}
            onChange={(value) => put(index, { value })}
          />
          <Button
            emphasis="quiet"
            icon={<X size={14} />}
            aria-label={words.removeHeader(row.name)}
            onPress={() => onChange(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} />}
          onPress={() => onChange([...rows, { name: '', value: '' }])}
        >
          {words.addHeader}
        </Button>
      </div>
      <p className={styles.detail}>{words.headersDetail}</p>
      {error && (
        <p className={styles.fault} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
