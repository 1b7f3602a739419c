import { ComboBox } from '../../atoms/controls/combo-box.tsx'

export interface TimeZoneFieldProps {
  label: string
  description: string | null
  error: string | null
  /** IANA name. */
  value: string
  onChange(value: string): void
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** A time zone by its IANA name. */
export function TimeZoneField({ value, onChange, ...words }: TimeZoneFieldProps) {
  const zones = ZONES.includes(value) ? ZONES : [value, ...ZONES]
  return (
    <ComboBox
      {...words}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      options={zones.map((id) => ({ id, label: id }))}
    />
  )
}
