import type { Span } from '../rules/spans.ts'
import { isDigit, isLetter, isWord } from './characters.ts'

/** Length of an IBAN by country: the SWIFT registry. */
const LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SC: 31,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
}

const SPACE = 32

/** ISO 7064 MOD 97-10, advanced by one character; letters of either case count as 10 to 35. */
const withCharacter = (rest: number, code: number) =>
  (isDigit(code) ? rest * 10 + code - 48 : rest * 100 + (code & 0x1f) + 9) % 97

/** The end of the valid IBAN of this length that starts here, possibly with single spaces; null if there is none. */
function endOf(text: string, start: number, length: number): number | null {
  let rest = 0
  let read = 4
  let at = start + 4
  for (; read < length; at += 1) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || isLetter(code)) {
      rest = withCharacter(rest, code)
      read += 1
    } else if (code !== SPACE || text.charCodeAt(at - 1) === SPACE) return null
  }
  if (isWord(text.charCodeAt(at))) return null
  // The country and the check digits are counted last.
  for (let first = start; first < start + 4; first += 1) rest = withCharacter(rest, text.charCodeAt(first))
  return rest === 1 ? at : null
}

/** International bank account numbers of every country of the registry, with a valid checksum. */
export function ibans(text: string): Span[] {
  const found: Span[] = []
  for (let at = 0; at + 14 < text.length; at += 1) {
    const isStart =
      isLetter(text.charCodeAt(at)) && isLetter(text.charCodeAt(at + 1)) && !isWord(text.charCodeAt(at - 1))
    if (!isStart || !isDigit(text.charCodeAt(at + 2)) || !isDigit(text.charCodeAt(at + 3))) continue
    const length = LENGTHS[text.slice(at, at + 2).toUpperCase()]
    const end = length === undefined ? null : endOf(text, at, length)
    if (end === null) continue
    found.push({ start: at, end })
    at = end - 1
  }
  return found
}
