import { E164 } from '@troupe/contract'

/** Numbers of a typed or pasted text. */
export interface TypedNumbers {
  /** In E.164, each once, as they were written. */
  numbers: readonly string[]
  /** Parts that are not numbers with a country code. */
  wrong: readonly string[]
}

/** Separators between the digits of one number. No-break spaces come from spreadsheets. */
const GROUPING = /[\s\u00A0\u202F().\-/‐-―]/g

/**
 * Parses numbers from lines, or from parts between commas, semicolons and tabs. Groups of digits and `00` instead of the plus sign
 * are accepted; a number without a country is invalid, because it is ambiguous.
 */
export function typedNumbers(text: string): TypedNumbers {
  const numbers = new Set<string>()
  const wrong: string[] = []
  for (const part of text.split(/[\n\r,;\t]+/)) {
    const written = part.trim().replaceAll(/^["']|["']$/g, '')
    if (written === '') continue
    const number = e164Of(written)
    if (E164.test(number)) numbers.add(number)
    else wrong.push(written)
  }
  return { numbers: [...numbers], wrong }
}

/** A typed number without its digit separators. The result is not always a number. */
export function e164Of(typed: string): string {
  const plain = typed.trim().replace(/^tel:/i, '').replaceAll('(0)', '').replaceAll(GROUPING, '')
  return plain.startsWith('00') ? `+${plain.slice(2)}` : plain
}
