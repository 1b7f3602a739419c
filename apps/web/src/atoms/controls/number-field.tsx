import { Minus, Plus } from 'lucide-react'
import { NumberField as AriaNumberField, Button, Group, Input } from 'react-aria-components'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'

export interface NumberFieldProps extends FieldWords {
  /** null: empty. */
  value: number | null
  onChange(value: number | null): void
  minValue?: number
  maxValue?: number
  step?: number
  isOptional?: boolean
  isDisabled?: boolean
  isReadOnly?: boolean
  placeholder?: string
  /** As of `Intl.NumberFormat`: a unit, a currency, a percentage. */
  format?: Intl.NumberFormatOptions
}

/** A number, with arrow keys and steps. */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    description,
    error,
    isLabelHidden,
    isOptional,
    value,
    onChange,
    placeholder,
    format,
    ...field
  } = props
  return (
    <AriaNumberField
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      {...(format ? { formatOptions: format } : {})}
      value={value ?? Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} isOptional={isOptional} />}
      <Group className={styles.box ?? ''}>
        <Input placeholder={placeholder} />
        <Button slot="decrement" className={styles.inline ?? ''}>
          <Minus size={14} />
        </Button>
        <Button slot="increment" className={styles.inline ?? ''}>
          <Plus size={14} />
        </Button>
      </Group>
      <FieldNotes description={description} error={error} />
    </AriaNumberField>
  )
}
