import type { PayloadField } from '@troupe/nodes/sample-payload'
import { type ReactNode, useState } from 'react'
import { CheckboxGroup } from '../../../atoms/controls/choices.tsx'
import { NumberField } from '../../../atoms/controls/number-field.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextArea, TextField } from '../../../atoms/controls/text-field.tsx'
import { payloadWords as words } from '../../../core/messages/en/workflows/payload.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'

const NONE = 'none'

export interface PayloadValueFieldProps {
  /** Identifies the value on the page. */
  id: string
  field: PayloadField
  label: string
  description?: ReactNode
  /** A sentence; null: none. */
  error?: string | null
  /** undefined and null: no value. */
  value: unknown
  isReadOnly?: boolean
  /** A sample shows its example while it is empty, and keeps an empty required text: without one, the example would return. */
  isSample?: boolean
  /** undefined: no value. */
  onChange(value: unknown): void
  /** Called with a text that is not a value; null: the text is valid again. */
  onUnread?(text: string | null): void
}

/** The value of a declared field of a trigger. A value of another type than the field declares is shown as JSON. */
export function PayloadValueField(props: PayloadValueFieldProps) {
  const { id, field, value, isReadOnly = false, isSample = false, onChange, onUnread } = props
  const { type, isRequired, options, example } = field
  // A typed text that is not a number stays in its field; one that came with the payload is shown as JSON.
  const [typed, setTyped] = useState<string | null>(null)
  const words = { label: props.label, description: props.description, error: props.error ?? null }
  const common = { ...words, isOptional: !isRequired }
  const typing = { ...common, isReadOnly, ...(isSample && { placeholder: String(example) }) }
  const onText = (text: string) => onChange(text === '' && (!isRequired || !isSample) ? undefined : text)
  const isEmpty = value === undefined || value === null
  const text = isEmpty ? '' : typeof value === 'string' ? value : null
  switch (type) {
    case 'number':
      if (!(isEmpty || typeof value === 'number' || value === typed)) break
      return (
        <NumberField
          {...typing}
          value={isEmpty ? null : typeof value === 'number' ? value : Number.NaN}
          onChange={(next, written) => {
            const isNumber = next === null || !Number.isNaN(next)
            setTyped(isNumber ? null : written)
            onChange(isNumber ? (next ?? undefined) : written)
          }}
        />
      )
    case 'boolean':
      if (!(isEmpty || typeof value === 'boolean')) break
      return (
        <ChoiceField
          {...{ words: common, isReadOnly, isRequired, onChange: (id) => onChange(id === 'true') }}
          value={isEmpty ? null : String(value)}
          options={BOOLEANS}
          onNone={() => onChange(undefined)}
        />
      )
    case 'dropdown':
    case 'radio':
      if (text === null) break
      return (
        <ChoiceField
          {...{ words: common, isReadOnly, isRequired, onChange }}
          value={text === '' ? null : text}
          options={options.map(({ value: id, label }) => ({ id, label }))}
          onNone={() => onChange(undefined)}
        />
      )
    case 'checkboxes': {
      const chosen = isEmpty ? [] : Array.isArray(value) ? value : null
      if (chosen === null || !chosen.every((one) => options.some((option) => option.value === one))) break
      return (
        <CheckboxGroup
          {...common}
          value={chosen}
          isDisabled={isReadOnly}
          options={options.map(({ value: id, label }) => ({ id, label }))}
          onChange={(next) => onChange(next.length === 0 ? undefined : next)}
        />
      )
    }
    case 'object':
    case 'file':
      break
    case 'textarea':
      if (text === null) break
      return <TextArea {...typing} value={text} onChange={onText} rows={3} />
    case 'password':
      if (text === null) break
      return <TextField {...typing} value={text} onChange={onText} isSecret autoComplete="off" />
    case 'date':
      if (text === null) break
      // A browser shows no other text in a field for dates.
      return (
        <TextField
          {...typing}
          value={text}
          onChange={onText}
          type={/^(\d{4}-\d{2}-\d{2})?$/.test(text) ? 'date' : 'text'}
        />
      )
    default:
      if (text === null) break
      return <TextField {...typing} value={text} onChange={onText} />
  }
  return (
    <JsonValueField
      {...words}
      id={id}
      isReadOnly={isReadOnly}
      value={value ?? null}
      minLines={2}
      maxLines={8}
      onChange={(next) => onChange(next ?? undefined)}
      {...(onUnread && { onUnread })}
    />
  )
}

const BOOLEANS = (['true', 'false'] as const).map((id) => ({ id, label: words.choices[id] }))

interface ChoiceFieldProps {
  words: { label: string; description: ReactNode; error: string | null; isOptional: boolean }
  value: string | null
  options: readonly { id: string; label: string }[]
  isRequired: boolean
  isReadOnly: boolean
  onChange(id: string): void
  onNone(): void
}

/** One of the offered values. A value that is not offered is shown nevertheless. */
function ChoiceField({
  words: own,
  value,
  options,
  isRequired,
  isReadOnly,
  onChange,
  onNone,
}: ChoiceFieldProps) {
  const isOffered = value === null || options.some(({ id }) => id === value)
  const offered = isOffered ? options : [...options, { id: value, label: value }]
  // Prefixed, so that an offered value cannot be taken for the empty one.
  const listed = offered.map(({ id, label }) => ({ id: `=${id}`, label }))
  return (
    <Select
      {...own}
      isDisabled={isReadOnly}
      value={value === null ? (isRequired ? null : NONE) : `=${value}`}
      options={isRequired ? listed : [{ id: NONE, label: words.none }, ...listed]}
      onChange={(id) => (id === NONE ? onNone() : onChange(id.slice(1)))}
    />
  )
}
