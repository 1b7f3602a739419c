import parsePhoneNumber from 'libphonenumber-js/max'
import { knownCountry } from './known-country.ts'

/** A carrier's format of dialed numbers. */
export type NumberFormat = 'e164_plus' | 'e164' | 'national'

/**
 * A number in the carrier's format. `national` uses the trunk prefix of `country` for its own numbers, and its
 * international prefix for those of other countries.
 *
 * @param e164 with a plus sign
 * @param country ISO 3166 code of the carrier's country; null: E.164 wherever a country is needed
 */
export function dialString(e164: string, format: NumberFormat, country: string | null): string {
  if (format === 'e164_plus') return e164
  const digits = e164.slice(1)
  if (format === 'e164') return digits
  const number = parsePhoneNumber(e164)
  const fromCountry = knownCountry(country)
  if (!number || fromCountry === null) return e164
  const text =
    number.country === fromCountry ? number.formatNational() : number.format('IDD', { fromCountry })
  // Carriers expect digits only; an international prefix of a country may be unknown.
  return text === undefined || text === '' ? e164 : text.replace(/\D/g, '')
}
