import { expect, test } from 'vitest'
import { readNumber, shownNumber, steppedNumber } from './typed-number.ts'

test.each([
  ['en-US', '0,7', 0.7],
  ['en-US', '1,5', 1.5],
  ['de-DE', '0.7', 0.7],
  ['de-DE', '1.234,56', 1234.56],
  ['en-US', '\u22125', -5],
  ['en-US', '1e3', 1000],
  ['ar-EG', '٣', 3],
  ['en-US', '', null],
])('in %s, %j is %j', (locale, text, value) => {
  expect(readNumber(text, locale)).toEqual({ value, fault: null })
})

test.each([
  ['en-US', 'abc', 'Must be a number such as 1234.5.'],
  ['de-DE', 'abc', 'Must be a number such as 1234,5.'],
  ['en-US', '1,2,3', 'Must be a number such as 1234.5.'],
  ['fr-FR', '1.234', 'Can be 1234 or 1.234: write it as 1234,5.'],
])('in %s, %j is refused: %s', (locale, text, fault) => {
  expect(readNumber(text, locale)).toEqual({ value: Number.NaN, fault })
})

test('a number beyond its limits is kept as typed', () => {
  const limits = { minValue: 1, maxValue: 2.5 }
  expect(readNumber('0', 'en-US', limits)).toEqual({ value: 0, fault: 'At least 1.' })
  expect(readNumber('7', 'de-DE', limits)).toEqual({ value: 7, fault: 'At most 2,5.' })
})

test('a shown number is parsed to the same number in every language', () => {
  for (const locale of ['en-US', 'de-DE', 'fr-FR', 'ar-EG', 'hi-IN', 'de-CH', 'es-ES']) {
    for (const number of [0, 0.7, -5, 1234, 1234.5, 123_456_789, 1e-7, 1e21, 0.30000000000000004]) {
      expect(readNumber(shownNumber(number, locale), locale), locale).toEqual({ value: number, fault: null })
    }
  }
})

test('steps are exact and end at the limits', () => {
  expect(steppedNumber(0.7, 0.1)).toBe(0.8)
  expect(steppedNumber(0.1, 0.01)).toBe(0.11)
  expect(steppedNumber(2, 0.1, { maxValue: 2 })).toBe(2)
  expect(steppedNumber(5, -10, { minValue: 0 })).toBe(0)
})
