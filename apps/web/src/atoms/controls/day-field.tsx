import { useState } from 'react'
import { TextField as AriaTextField, Input } from 'react-aria-components'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'

export interface DayFieldProps extends FieldWords {
  /** `2026-11-23`; null: no day. */
  value: string | null
  /** Called with whole days only, or null when the field is emptied. */
  onChange(value: string | null): void
  /** Whether a text is a day that may be chosen. Browsers report years that are half typed. */
  isDay(text: string): boolean
}

/** A day of the calendar, typed or picked in the browser's own calendar. */
export function DayField({
  label,
  description,
  error,
  isLabelHidden,
  value,
  onChange,
  isDay,
}: DayFieldProps) {
  const [half, setHalf] = useState<string | null>(null)
  const change = (text: string) => {
    const isWhole = text === '' || isDay(text)
    setHalf(isWhole ? null : text)
    if (isWhole) onChange(text === '' ? null : text)
  }
  return (
    <AriaTextField
      type="date"
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      value={half ?? value ?? ''}
      onChange={change}
      onBlur={() => setHalf(null)}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={styles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} />}
      <Input className={styles.input ?? ''} />
      <FieldNotes description={description} error={error} />
    </AriaTextField>
  )
}
