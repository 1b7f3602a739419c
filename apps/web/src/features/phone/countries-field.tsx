import { TagField } from '../../atoms/controls/tag-field.tsx'
import { countryName } from '../../core/format/countries.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'

const words = phoneWords.fields

export interface CountriesFieldProps {
  /** ISO 3166 codes. */
  value: readonly string[]
  onChange(value: string[]): void
  error: string | null
}

/** Countries by their codes, with their names below the field. */
export function CountriesField({ value, onChange, error }: CountriesFieldProps) {
  const names = value.map(countryName).join(', ')
  return (
    <TagField
      label={words.allowedCountries}
      description={names === '' ? words.allowedDetail : names}
      placeholder={words.countryPlaceholder}
      value={value}
      onChange={(next) => onChange([...new Set(next.map((code) => code.toUpperCase()))])}
      error={error}
    />
  )
}
