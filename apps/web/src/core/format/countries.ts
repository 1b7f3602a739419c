const NAMES = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'code' })

/** The name of a country by its ISO 3166 code; the text itself if it is not a code. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? code) : code
}
