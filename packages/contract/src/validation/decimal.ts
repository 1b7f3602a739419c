/**
 * A decimal number without loss: 0.`digits` × 10^`exponent`. `digits` neither begins nor ends with 0; zero has none.
 */
export interface Decimal {
  isNegative: boolean
  digits: string
  exponent: number
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/
const LEADING_ZEROS = /^0*/

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1
  return digits.slice(0, end)
}

/** The number in a text such as `-1.50e3`; null for other texts, and for unreasonable exponents. */
export function decimalOf(text: string): Decimal | null {
  const [, sign, whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return null
  const all = whole + fraction
  const zeros = LEADING_ZEROS.exec(all)?.[0].length ?? 0
  const digits = withoutTrailingZeros(all.slice(zeros))
  if (digits === '') return { isNegative: false, digits, exponent: 0 }
  const exponent = Number(power) + whole.length - zeros
  return Number.isSafeInteger(exponent) ? { isNegative: sign === '-', digits, exponent } : null
}

function compareSizes(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length
  if (a.exponent !== b.exponent) return a.exponent - b.exponent
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1
}

/** Negative, zero or positive if `a` is smaller than, equal to or larger than `b`. Exact for any number of digits. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1
  return a.isNegative ? compareSizes(b, a) : compareSizes(a, b)
}

/**
 * The number of digits that every double preserves, and the number with which programs write a double so that reading
 * it yields the same one.
 */
const ALWAYS_KEPT = 15
const ROUND_TRIP = 17
/** Exponents of ten at which doubles have full precision. */
const ORDINARY_EXPONENT = 300

const isFraction = ({ exponent, digits }: Decimal) => exponent < digits.length
/** Within the precision of a double, so that only decimals after the point are rounded. */
const hasKeptWhole = ({ exponent }: Decimal) => exponent <= ALWAYS_KEPT && exponent > -ORDINARY_EXPONENT

/**
 * Whether a double preserves the number in a text: serialising the double yields the same number. Fractions of up to 17
 * digits also count, because programs write doubles and averages like that (`0.10000000000000001`,
 * `3.3333333333333333`): the change is below their precision. So do numbers with an exponent, such as
 * `9.9999999999999992e+22`.
 */
export function isKeptByDouble(text: string): boolean {
  const written = decimalOf(text)
  const double = Number(text)
  if (written === null || !Number.isFinite(double)) return false
  if (written.digits.length <= ALWAYS_KEPT && Math.abs(written.exponent) < ORDINARY_EXPONENT) return true
  const same = (other: string) => {
    const read = decimalOf(other)
    return read !== null && compareDecimals(read, written) === 0
  }
  if (same(String(double))) return true
  if (written.digits.length > ROUND_TRIP) return false
  if (isFraction(written)) return hasKeptWhole(written)
  return /e/i.test(text) && same(double.toPrecision(ROUND_TRIP))
}

/**
 * Whether a double preserves the number in a text, except for rounded decimals: for numbers written by models, such as
 * π with twenty digits. Ids and amounts with more than 15 digits before the point are not preserved.
 */
export function isKeptButRounded(text: string): boolean {
  const written = decimalOf(text)
  if (isKeptByDouble(text)) return true
  return written !== null && Number.isFinite(Number(text)) && isFraction(written) && hasKeptWhole(written)
}

/** A number as JSON writes it. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Longer texts are not numbers. */
const MAX_NUMBER = 1_000

/** Whether a value is the text of a JSON number that a double would change, as `parseJson` keeps received numbers. */
export function isNumberAsText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= MAX_NUMBER &&
    JSON_NUMBER.test(value) &&
    !isKeptByDouble(value)
  )
}
