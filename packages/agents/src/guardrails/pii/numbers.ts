import type { DigitGroup } from './digit-groups.ts'

/** A number that may be personal data, parsed once for all kinds. */
export interface WrittenNumber {
  /** All digits, without separators. */
  digits: string
  /** Digits of each group: `4-4-4-4`. */
  sizes: string
  groups: number
  /** The separator of all groups; empty for one group, null when they differ. */
  separator: string | null
  /** The number of dots among the separators. */
  dots: number
}

/** The number formed by the groups from `from` (inclusive) to `to` (exclusive). */
export function readNumber(chain: readonly DigitGroup[], from: number, to: number): WrittenNumber {
  const read: WrittenNumber = { digits: '', sizes: '', groups: to - from, separator: '', dots: 0 }
  for (let at = from; at < to; at += 1) {
    const group = chain[at]
    if (!group) break
    read.digits += group.digits
    read.sizes += at === from ? group.digits.length : `-${group.digits.length}`
    if (at === from) continue
    if (group.separator === '.') read.dots += 1
    if (at === from + 1) read.separator = group.separator
    else if (group.separator !== read.separator) read.separator = null
  }
  return read
}

/** The size of a number, known before its digits are read. */
interface NumberShape {
  groups: number
  digits: number
  /** Digits of its first group. */
  first: number
  /** Whether it has a preceding `+` or begins with 0. */
  isMarked: boolean
}

/**
 * Whether a number of this shape can be of any kind. Checked first, because few can and parsing a number costs ten
 * times as much.
 */
export function mayBeNumber({ groups, digits, first, isMarked }: NumberShape): boolean {
  if (digits >= 13 && digits <= 19 && (groups === 1 || first === 4)) return true
  if (isMarked) return digits >= 8 && digits <= 16
  if (digits === 11) return groups === 1 || groups === 4
  return (digits === 9 || digits === 10) && groups === 3 && first === 3
}

/** The allowed separators of a number; a number of one group has none. */
const separators = (...between: string[]): ReadonlySet<string | null> => new Set(['', ...between])
const NO_BREAK_SPACE = '\u00a0'
const CARD_SEPARATORS = separators(' ', NO_BREAK_SPACE, '-')
const SSN_SEPARATORS = separators(' ', '-')
const TAX_ID_SEPARATORS = separators(' ', NO_BREAK_SPACE)

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
export function isCard({ digits, sizes, groups, separator }: WrittenNumber): boolean {
  if (digits.length < 13 || digits.length > 19 || !CARD_START.test(digits)) return false
  const isGrouped = groups === 1 || (CARD_GROUPS.has(sizes) && CARD_SEPARATORS.has(separator))
  return isGrouped && passesLuhn(digits)
}

/** A social security number of the United States that may have been issued, written `123-45-6789` or with spaces. */
export function isUsSsn({ digits, sizes, separator }: WrittenNumber): boolean {
  if (sizes !== '3-2-4' || !SSN_SEPARATORS.has(separator)) return false
  const area = digits.slice(0, 3)
  const wasIssued = area !== '000' && area !== '666' && area < '900'
  return wasIssued && digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000'
}

const TAX_ID_GROUPS: ReadonlySet<string> = new Set(['11', '2-3-3-3', '3-3-3-2'])

/** Exactly one of the first ten digits occurs two or three times. */
function hasOneRepeatedDigit(digits: string): boolean {
  const counts = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (let at = 0; at < 10; at += 1) {
    const digit = digits.charCodeAt(at) - 48
    counts[digit] = (counts[digit] ?? 0) + 1
  }
  const repeated = counts.filter((count) => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3
}

/** A German tax identification number: ISO 7064 MOD 11,10, and exactly one digit occurs two or three times among the first ten. */
export function isGermanTaxId({ digits, sizes, separator }: WrittenNumber): boolean {
  if (!TAX_ID_GROUPS.has(sizes) || !TAX_ID_SEPARATORS.has(separator)) return false
  if (digits.startsWith('0') || !hasOneRepeatedDigit(digits)) return false
  let product = 10
  for (let at = 0; at < 10; at += 1) {
    const sum = (digits.charCodeAt(at) - 48 + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === digits.charCodeAt(10) - 48
}

/**
 * A telephone number: with `+` or `00` and a country, 8 to 15 digits; else in brackets or with a leading 0, 9 to 12 digits in two to five
 * groups, or in the North American groups 3-3-4. `hasPlus`: whether `+` precedes it.
 */
export function isPhone({ digits, sizes, groups, dots }: WrittenNumber, hasPlus: boolean): boolean {
  if (hasPlus) return digits.length >= 8 && digits.length <= 15 && !digits.startsWith('0')
  if (digits.startsWith('00')) return digits.length >= 11 && digits.length <= 16 && groups >= 2
  if (sizes === '3-3-4' || sizes === '1-3-3-4') {
    return /^[2-9]..[2-9]/.test(digits.slice(-10)) && (dots === 0 || dots === groups - 1)
  }
  if (!digits.startsWith('0') || dots > 0) return false
  return groups >= 2 && groups <= 5 && digits.length >= 9 && digits.length <= 12
}
