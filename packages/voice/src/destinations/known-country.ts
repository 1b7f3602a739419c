import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max'

/** The country code if the phone number metadata has it; null for any other text. */
export function knownCountry(code: string | null): CountryCode | null {
  return code !== null && isSupportedCountry(code) ? code : null
}
