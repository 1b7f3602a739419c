import { useState } from 'react'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { isDay } from '../../core/url/day-param.ts'

export interface DayFieldProps {
  label: string
  /** `2026-11-23`; null: no day. */
  value: string | null
  /** Called with complete days only, or null when the field is cleared. */
  onChange(value: string | null): void
}

/** A day of the calendar as a filter, typed or picked in the browser's own calendar. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  // Browsers report incomplete years; they are not used as a filter yet.
  const [half, setHalf] = useState<string | null>(null)
  const change = (text: string) => {
    const isWhole = text === '' || isDay(text)
    setHalf(isWhole ? null : text)
    if (isWhole) onChange(text === '' ? null : text)
  }
  return (
    <TextField
      type="date"
      label={label}
      isLabelHidden
      icon={label}
      isActive={value !== null}
      value={half ?? value ?? ''}
      onChange={change}
      onBlur={() => setHalf(null)}
    />
  )
}
