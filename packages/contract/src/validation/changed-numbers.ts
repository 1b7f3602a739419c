import { shortened } from '../errors/field-path.ts'
import { isKeptByDouble, JSON_NUMBER } from './decimal.ts'
import { JsonPlace, QUOTE } from './json-text.ts'

/** A number of a JSON text that `JSON.parse` would change. */
export interface ChangedNumber {
  /** Where it is; empty for the root. */
  path: string
  literal: string
  /** Of its first character, and behind its last one. */
  start: number
  end: number
}

/** Numbers of fewer digits and without an exponent are kept by doubles. */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d/
const DASH = 0x2d
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isOfNumber = (code: number) =>
  isDigit(code) || code === 0x2e || code === DASH || code === 0x2b || code === 0x65 || code === 0x45

/**
 * The numbers of a JSON text that a double does not keep, in their order, at most `most`. One pass; most texts need none.
 * Text that is not JSON has any result: the parser refuses it.
 */
export function changedNumbers(text: string, most: number): ChangedNumber[] {
  const found: ChangedNumber[] = []
  if (!SUSPICIOUS.test(text)) return found
  const place = new JsonPlace()
  for (let at = 0; at < text.length && found.length < most; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || (code !== DASH && !isDigit(code))) {
      at = place.read(text, at)
      continue
    }
    const start = at
    while (isOfNumber(text.charCodeAt(at + 1))) at += 1
    const literal = text.slice(start, at + 1)
    if (SUSPICIOUS.test(literal) && JSON_NUMBER.test(literal) && !isKeptByDouble(literal)) {
      found.push({ path: place.path(), literal, start, end: at + 1 })
    }
  }
  return found
}

/**
 * Parses a JSON text; numbers that a double would change become texts of their digits.
 *
 * @throws SyntaxError for text that is not JSON
 */
export function parseWithLongNumbersAsTexts(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const changed = changedNumbers(text, Number.POSITIVE_INFINITY)
  if (changed.length === 0) return value
  let quoted = ''
  let from = 0
  for (const { start, end, literal } of changed) {
    quoted += `${text.slice(from, start)}"${literal}"`
    from = end
  }
  return JSON.parse(quoted + text.slice(from))
}

const MAX_SHOWN = 60

/** Why a number is refused: `would change from 9007199254740993 to 9007199254740992: …`. */
export function changedNumberFault(literal: string): string {
  const double = Number(literal)
  if (!Number.isFinite(double)) return 'must be a finite number'
  const shown = shortened(literal, MAX_SHOWN)
  return `would change from ${shown} to ${double}: send a number of so many digits as text`
}
