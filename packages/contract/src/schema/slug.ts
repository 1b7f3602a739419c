/** Maximum length of a slug. */
export const LONGEST_SLUG = 64

/** A slug for a name: "Customer care" is `customer-care`. '' when no letter or digit of the name is usable. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return withoutOuterHyphens(plain.slice(0, LONGEST_SLUG))
}

/** A slug must begin and end with a letter or a digit. */
export function withoutOuterHyphens(text: string): string {
  return text.replaceAll(/^-+|-+$/g, '')
}
