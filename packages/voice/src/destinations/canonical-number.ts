import parsePhoneNumber from 'libphonenumber-js/max'

/**
 * The canonical form of a number: `+4402079460000`, with the trunk prefix 0 of Great Britain, becomes `+442079460000`.
 * Lists of numbers, caller ids and destinations are compared in this form.
 *
 * @param e164 a plus sign and digits; a number of an unknown country is unchanged
 */
export function canonicalNumber(e164: string): string {
  return parsePhoneNumber(e164, { extract: false })?.number ?? e164
}
