import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max'

/** The code as in the metadata of phone numbers; null for any other text. */
export function knownCountry(code: string | null): CountryCode | null {
  return code !== null && isSupportedCountry(code) ? code : null
}
