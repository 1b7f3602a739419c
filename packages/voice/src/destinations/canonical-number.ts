import parsePhoneNumber from 'libphonenumber-js/max'

/**
 * The spelling of a number that calls dial: `+4402079460000`, with the trunk prefix 0 of Great Britain, becomes `+442079460000`. Lists of
 * numbers, caller ids and destinations are compared in it.
 *
 * @param e164 a plus sign and digits; a number of no known country stays as it is
 */
export function canonicalNumber(e164: string): string {
  return parsePhoneNumber(e164, { extract: false })?.number ?? e164
}
