import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { type EditableReviewField, fieldValue, type ReviewDraft } from '../../core/reviews/decision.ts'
import styles from './reviews.module.css'

export interface ReviewFieldsProps {
  fields: readonly EditableReviewField[]
  draft: ReviewDraft
  /** By the server's paths: `data.amount`. */
  errors: Readonly<Record<string, string>>
  onChange(name: string, value: string | number | boolean | null): void
}

/** The values that a reviewer may change before deciding. */
export function ReviewFields({ fields, draft, errors, onChange }: ReviewFieldsProps) {
  return (
    <div className={styles.fields}>
      {fields.map((field) => (
        <ReviewInput
          key={field.name}
          field={field}
          value={fieldValue(field, draft)}
          error={errors[`data.${field.name}`] ?? null}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </div>
  )
}

/** The empty option of an optional field; no option has an empty text. */
const NONE = ''

interface ReviewInputProps {
  field: EditableReviewField
  value: unknown
  error: string | null
  onChange(value: string | number | boolean | null): void
}

function ReviewInput({ field, value, error, onChange }: ReviewInputProps) {
  const { label, type, options, required } = field
  const shared = { label, error, isOptional: !required }
  // A required field without a proposed value requires a choice.
  const none = required ? null : NONE
  const noChoice = required ? [] : [{ id: NONE, label: words.none } as const]
  // A single-line field would join the lines on the first input.
  const isOneLine = type === 'text' && !hasLines(field.value) && !hasLines(value)
  switch (type) {
    case 'text':
    case 'textarea':
      return isOneLine ? (
        <TextField {...shared} value={asText(value)} onChange={onChange} />
      ) : (
        <TextArea {...shared} rows={3} value={asText(value)} onChange={onChange} />
      )
    case 'number':
      return <NumberField {...shared} value={typeof value === 'number' ? value : null} onChange={onChange} />
    case 'select':
      return (
        <Select
          {...shared}
          value={typeof value === 'string' ? value : none}
          onChange={(chosen) => onChange(chosen === NONE ? null : chosen)}
          options={[...noChoice, ...options.map((option) => ({ id: option, label: option }))]}
        />
      )
    case 'boolean':
      return (
        <Select
          {...shared}
          value={typeof value === 'boolean' ? (value ? 'yes' : 'no') : none}
          onChange={(chosen) => onChange(chosen === NONE ? null : chosen === 'yes')}
          options={[...noChoice, { id: 'yes', label: words.yes }, { id: 'no', label: words.no }]}
        />
      )
    default:
      return type satisfies never
  }
}

const hasLines = (value: unknown) => /[\r\n]/.test(asText(value))
const asText = (value: unknown) => (typeof value === 'string' ? value : '')
