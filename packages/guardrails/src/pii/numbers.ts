import type { DigitGroup } from './digit-groups.ts'

const digitsOf = (groups: readonly DigitGroup[]) => groups.map(({ digits }) => digits).join('')
const separatorsOf = (groups: readonly DigitGroup[]) => groups.slice(1).map(({ separator }) => separator)
const sizesOf = (groups: readonly DigitGroup[]) => groups.map(({ digits }) => digits.length).join('-')
const isUniform = (separators: readonly string[], allowed: readonly string[]) =>
  separators.every((one) => one === separators[0] && allowed.includes(one))

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The first digits of Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay and Maestro. */
const CARD_START = /^(?:4|5[0-8]|2[2-7]|3[04-9]|6)/
const CARD_GROUPS: ReadonlySet<string> = new Set(['4-4-4-4', '4-6-5', '4-6-4', '4-4-4-4-3', '4-4-4-1'])

/** A payment card: 13 to 19 digits, of a known brand, with a valid check digit. */
export function isCard(groups: readonly DigitGroup[]): boolean {
  const digits = digitsOf(groups)
  if (digits.length < 13 || digits.length > 19 || !CARD_START.test(digits)) return false
  const isGrouped = groups.length === 1 || CARD_GROUPS.has(sizesOf(groups))
  return isGrouped && isUniform(separatorsOf(groups), [' ', '-', '\u00a0']) && passesLuhn(digits)
}

/** A social security number of the United States that may have been issued, written `123-45-6789` or with spaces. */
export function isUsSsn(groups: readonly DigitGroup[]): boolean {
  if (sizesOf(groups) !== '3-2-4' || !isUniform(separatorsOf(groups), ['-', ' '])) return false
  const [area = '', group, serial] = groups.map(({ digits }) => digits)
  return area !== '000' && area !== '666' && area < '900' && group !== '00' && serial !== '0000'
}

const TAX_ID_GROUPS: ReadonlySet<string> = new Set(['11', '2-3-3-3', '3-3-3-2'])

/** A German tax identification number: ISO 7064 MOD 11,10, and exactly one digit stands twice or three times among the first ten. */
export function isGermanTaxId(groups: readonly DigitGroup[]): boolean {
  const digits = digitsOf(groups)
  if (!TAX_ID_GROUPS.has(sizesOf(groups)) || !isUniform(separatorsOf(groups), [' ', '\u00a0'])) return false
  if (digits.startsWith('0')) return false
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter((count) => count > 1)
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3) return false
  let product = 10
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits[10])
}

/** Whether a telephone number may have these separators: no date, amount or version has them. */
const PHONE_SEPARATORS = [' ', '-', '.', '/', ') ', ')', ' (', ' - ', ')-', '-(', '\u00a0']

/**
 * A telephone number: with `+` or `00` and a country, 8 to 15 digits; else in brackets or with a leading 0, 9 to 12 digits
 * in two to five groups, or in the North American groups 3-3-4.
 */
export function isPhone(groups: readonly DigitGroup[], before: string): boolean {
  const digits = digitsOf(groups)
  const separators = separatorsOf(groups)
  if (!separators.every((one) => PHONE_SEPARATORS.includes(one))) return false
  if (before.endsWith('+')) return digits.length >= 8 && digits.length <= 15 && !digits.startsWith('0')
  if (digits.startsWith('00')) return digits.length >= 11 && digits.length <= 16 && groups.length >= 2
  const dots = separators.filter((one) => one === '.').length
  if (/^(?:1-)?3-3-4$/.test(sizesOf(groups))) {
    const local = digits.slice(-10)
    return /^[2-9]..[2-9]/.test(local) && (dots === 0 || dots === separators.length)
  }
  if (!digits.startsWith('0') || dots > 0) return false
  return groups.length >= 2 && groups.length <= 5 && digits.length >= 9 && digits.length <= 12
}
