import { type NumberNotation, notationOf, readTypedNumber } from '@troupe/contract'
import { problemSentence } from '../forms/problem-sentence.ts'
import { atomWords as words } from '../messages/en/atoms.ts'

/** The value of a number field: NaN is an invalid text, which is never sent. */
export interface ReadNumber {
  value: number | null
  /** A sentence; null: it can be sent. */
  fault: string | null
}

export interface NumberLimits {
  minValue?: number | undefined
  maxValue?: number | undefined
}

const notations = new Map<string, NumberNotation>()

/** The number format of the browser's language. */
function notationIn(locale: string): NumberNotation {
  const notation = notations.get(locale) ?? notationOf(locale)
  notations.set(locale, notation)
  return notation
}

/** A number as its field shows it: with the decimal sign of the language and nothing between thousands, so that it has one meaning. */
export function shownNumber(value: number | null, locale: string): string {
  if (value === null || Number.isNaN(value)) return ''
  return String(value).replace('.', notationIn(locale).decimal)
}

/** Parses the text of a number field. It is never changed: an out-of-range number is an error. */
export function readNumber(text: string, locale: string, limits: NumberLimits = {}): ReadNumber {
  const read = readTypedNumber(text, notationIn(locale))
  if (!read.ok) return { value: Number.NaN, fault: `${problemSentence(read.fault)}.` }
  const { value } = read
  const { minValue = Number.NEGATIVE_INFINITY, maxValue = Number.POSITIVE_INFINITY } = limits
  if (value !== null && value < minValue)
    return { value, fault: words.atLeast(shownNumber(minValue, locale)) }
  if (value !== null && value > maxValue) return { value, fault: words.atMost(shownNumber(maxValue, locale)) }
  return { value, fault: null }
}

const decimalsOf = (value: number) => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0

/** The number one step above or below, within the limits: 0.7 and 0.1 are 0.8. */
export function steppedNumber(value: number, step: number, limits: NumberLimits = {}): number {
  const { minValue = Number.NEGATIVE_INFINITY, maxValue = Number.POSITIVE_INFINITY } = limits
  const decimals = Math.min(20, Math.max(decimalsOf(value), decimalsOf(step)))
  const sum = Number((value + step).toFixed(decimals))
  return Math.min(Math.max(sum, minValue), maxValue)
}
