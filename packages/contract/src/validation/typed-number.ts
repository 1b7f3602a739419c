import { changedNumberFault } from './changed-numbers.ts'
import { isKeptByDouble } from './decimal.ts'

/** The number format of a language. */
export interface NumberNotation {
  /** Between the integer and the fraction. */
  decimal: '.' | ','
  /** Between thousands; null if a point or comma is never used there, or the language is unknown. */
  group: '.' | ',' | null
}

/** The notation for pages that do not know their reader's language. */
export const POINT_NOTATION: Readonly<NumberNotation> = { decimal: '.', group: null }

/** A typed number: null if the text is empty, or why it is invalid, as `must …` or `would …`. */
export type TypedNumber = { ok: true; value: number | null } | { ok: false; fault: string }

/** Longer texts are not typed numbers. */
const MAX_CHARACTERS = 400

/** The zero of each script whose digits keyboards type: full width, Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Tamil, Telugu, Kannada, Malayalam, Thai, Lao, Tibetan, Burmese, Khmer. */
const ZEROS = [
  0xff10, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x0f20, 0x1040, 0x17e0,
]
/** Directional marks, which are copied along with numbers from right-to-left texts. */
const INVISIBLE = /[\u200e\u200f\u061c\u2066-\u2069\u202a-\u202e]/g
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['\u2212', '-'],
  ['\u2013', '-'],
  ['\uff0d', '-'],
  ['\ufe63', '-'],
  ['\uff0b', '+'],
  ['\uff0e', '.'],
  ['\uff0c', ','],
])
/** Separators used only between thousands: spaces, apostrophes, the Arabic one. */
const GROUPS = /[ \u00a0\u2009\u202f'\u2019\u066c]/g
const ARABIC_DECIMAL = /\u066b/g
const GROUPED = /^[1-9]\d{0,2}(?: \d{2,3})* \d{3}$/
const SHAPE = /^([+-]?)([\d., ]*\d|[\d., ]*\d[.,])([eE][+-]?\d+)?$/

function plainCharacter(character: string): string {
  const code = character.charCodeAt(0)
  const zero = ZEROS.find((first) => code >= first && code < first + 10)
  return zero === undefined ? (PLAIN.get(character) ?? character) : String(code - zero)
}

const refused = (fault: string): TypedNumber => ({ ok: false, fault })

/** The integer without its separators; null if they are not between thousands. */
function ungrouped(text: string, separator: string | null): string | null {
  // Thousands have one separator.
  if (separator !== null && text.includes(separator) && text.includes(' ')) return null
  const spaced = separator === null ? text : text.replaceAll(separator, ' ')
  if (!spaced.includes(' ')) return /^\d*$/.test(spaced) ? spaced : null
  return GROUPED.test(spaced) ? spaced.replaceAll(' ', '') : null
}

const example = ({ decimal }: NumberNotation) => `1234${decimal}5`

/** `1.234,56` → `1234.56`, or why the text is invalid or ambiguous. */
function plainNumber(
  text: string,
  notation: NumberNotation,
): { ok: true; text: string } | { ok: false; fault: string } {
  const fault = `must be a number such as ${example(notation)}`
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const kinds = new Set(text.match(/[.,]/g))
  const separator = text.charAt(last)
  const [whole, fraction] = last < 0 ? [text, null] : [text.slice(0, last), text.slice(last + 1)]
  if (fraction === null) {
    const digits = ungrouped(whole, null)
    return digits ? { ok: true, text: digits } : { ok: false, fault }
  }
  const isOnce = text.indexOf(separator) === last
  const asGroups = kinds.size === 1 ? ungrouped(text, separator) : null
  const other = separator === '.' ? ',' : '.'
  const wholeDigits =
    isOnce && /^\d*$/.test(fraction) ? ungrouped(whole, kinds.size === 2 ? other : null) : null
  const asDecimal =
    wholeDigits === null || wholeDigits + fraction === '' ? null : `${wholeDigits || '0'}.${fraction || '0'}`
  if (asGroups !== null && asDecimal !== null && separator !== notation.decimal) {
    if (separator === notation.group) return { ok: true, text: asGroups }
    return { ok: false, fault: `can be ${asGroups} or ${asDecimal}: write it as ${example(notation)}` }
  }
  const found = asDecimal ?? asGroups
  return found === null ? { ok: false, fault } : { ok: true, text: found }
}

/**
 * Reads a number as people type and paste it: in the notation of their language, or in another one if that is
 * unambiguous (`0,7`, `1.234,56`, `−5`, `1e3`, `٣`). An ambiguous or invalid text is refused; no digit is dropped.
 */
export function readTypedNumber(typed: string, notation: Readonly<NumberNotation>): TypedNumber {
  const fault = `must be a number such as ${example(notation)}`
  if (typed.length > MAX_CHARACTERS) return refused(fault)
  const plain = Array.from(typed.replaceAll(INVISIBLE, ''), plainCharacter).join('').trim()
  if (plain === '') return { ok: true, value: null }
  const [, sign, body = '', power = ''] =
    SHAPE.exec(plain.replaceAll(GROUPS, ' ').replaceAll(ARABIC_DECIMAL, '.')) ?? []
  if (sign === undefined) return refused(fault)
  // The Arabic separator is unambiguous.
  const read = plainNumber(body, /\u066b/.test(plain) ? { decimal: '.', group: null } : notation)
  if (!read.ok) return refused(read.fault)
  const text = `${sign === '-' ? '-' : ''}${read.text}${power}`
  if (!isKeptByDouble(text)) return refused(changedNumberFault(text))
  return { ok: true, value: Number(text) + 0 }
}

/** The notation of a language, by its BCP 47 tag. */
export function notationOf(locale: string): NumberNotation {
  // Latin digits: digits of other scripts are read in any language.
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(-1_234_567.8)
  const decimal = parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
  const group = parts.find(({ type }) => type === 'group')?.value
  return { decimal, group: group === '.' || group === ',' ? group : null }
}
