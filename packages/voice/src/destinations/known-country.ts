import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max'

/** The code as the metadata of phone numbers has it; null for anything else. */
export function knownCountry(code: string | null): CountryCode | null {
  return code !== null && isSupportedCountry(code) ? code : null
}
