import type { Span } from '../rules/spans.ts'
import { isDigit, isLetter, isWord } from './characters.ts'

/** Characters of an IBAN by country: the SWIFT registry. */
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

/** ISO 7064 MOD 97-10: letters count as 10 to 35, and the first four characters stand last. */
function isValid(iban: string): boolean {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** The end of the IBAN of this length that begins here, with single spaces inside; null when there is none. */
function endOf(text: string, start: number, length: number): { end: number; iban: string } | null {
  let iban = ''
  let at = start
  while (iban.length < length && at < text.length) {
    const code = text.charCodeAt(at)
    if (isDigit(code) || isLetter(code)) iban += text[at]
    else if (code !== SPACE || text.charCodeAt(at - 1) === SPACE) return null
    at += 1
  }
  return iban.length === length && !isWord(text.charCodeAt(at)) ? { end: at, iban: iban.toUpperCase() } : null
}

/** International bank account numbers of every country of the registry, with a valid checksum. */
export function ibans(text: string): Span[] {
  const found: Span[] = []
  for (let at = 0; at + 14 < text.length; at += 1) {
    const isStart =
      isLetter(text.charCodeAt(at)) && isLetter(text.charCodeAt(at + 1)) && !isWord(text.charCodeAt(at - 1))
    if (!isStart || !isDigit(text.charCodeAt(at + 2)) || !isDigit(text.charCodeAt(at + 3))) continue
    const length = LENGTHS[text.slice(at, at + 2).toUpperCase()]
    const read = length === undefined ? null : endOf(text, at, length)
    if (!read || !isValid(read.iban)) continue
    found.push({ start: at, end: read.end })
    at = read.end - 1
  }
  return found
}
