import { expect, test } from 'vitest'
import { notationOf, POINT_NOTATION, readTypedNumber } from './typed-number.ts'

const read = (text: string, notation = POINT_NOTATION) => {
  const found = readTypedNumber(text, notation)
  return found.ok ? found.value : found.fault
}
const NO = expect.stringMatching(/^must be a number such as 1234[.,]5$/)
const TWO = expect.stringMatching(/^can be /)

test.each<[string, unknown, unknown, unknown]>([
  // text, English, German, French
  ['', null, null, null],
  ['   ', null, null, null],
  ['7', 7, 7, 7],
  ['0,7', 0.7, 0.7, 0.7],
  ['0.7', 0.7, 0.7, 0.7],
  ['1,5', 1.5, 1.5, 1.5],
  [',5', 0.5, 0.5, 0.5],
  ['.5', 0.5, 0.5, 0.5],
  ['7.', 7, 7, 7],
  ['0.123', 0.123, 0.123, 0.123],
  ['1.234,56', 1234.56, 1234.56, 1234.56],
  ['1,234.56', 1234.56, 1234.56, 1234.56],
  ['1,234', 1234, 1.234, 1.234],
  ['1.234', 1.234, 1234, TWO],
  ['1.234.567', 1234567, 1234567, 1234567],
  ['1,234,567', 1234567, 1234567, 1234567],
  ['12,34,567', 1234567, 1234567, 1234567],
  ['1 234,5', 1234.5, 1234.5, 1234.5],
  ['1 234,567', 1234.567, 1234.567, 1234.567],
  ["1'234.5", 1234.5, 1234.5, 1234.5],
  ['\u22125', -5, -5, -5],
  ['–5', -5, -5, -5],
  ['\u200e-5', -5, -5, -5],
  ['+5', 5, 5, 5],
  ['1e3', 1000, 1000, 1000],
  ['1,5e3', 1500, 1500, 1500],
  ['٣', 3, 3, 3],
  ['٣٫٥', 3.5, 3.5, 3.5],
  ['١٬٢٣٤٫٥', 1234.5, 1234.5, 1234.5],
  ['۱۲', 12, 12, 12],
  ['０，７', 0.7, 0.7, 0.7],
  ['-0', 0, 0, 0],
  ['1,2,3', NO, NO, NO],
  ['1,23,4', NO, NO, NO],
  ['1.2.3', NO, NO, NO],
  ['12 34', NO, NO, NO],
  ['1.234,56,78', NO, NO, NO],
  ['10²', NO, NO, NO],
  ['½', NO, NO, NO],
  ['5 %', NO, NO, NO],
  ['$5', NO, NO, NO],
  ['five', NO, NO, NO],
  ['--5', NO, NO, NO],
  ['5-', NO, NO, NO],
  ['(5)', NO, NO, NO],
  ['0x10', NO, NO, NO],
  ['Infinity', NO, NO, NO],
  ['1e', NO, NO, NO],
  ['.', NO, NO, NO],
  ['-', NO, NO, NO],
  ['1e999', 'must be a finite number', 'must be a finite number', 'must be a finite number'],
])('%j is %j in English, %j in German, %j in French', (text, english, german, french) => {
  expect(read(text, notationOf('en-US'))).toEqual(english)
  expect(read(text, notationOf('de-DE'))).toEqual(german)
  expect(read(text, notationOf('fr-FR'))).toEqual(french)
})

test('without a known language, a comma before three digits is ambiguous', () => {
  expect(read('1,234')).toBe('can be 1234 or 1.234: write it as 1234.5')
  expect([read('1.234'), read('0,7'), read('1.234,56')]).toEqual([1.234, 0.7, 1234.56])
})

test('digits that cannot be preserved are refused', () => {
  expect(read('8202522731445525542')).toContain('would change from 8202522731445525542')
  expect(read('8.202.522.731.445.525.542')).toContain('would change')
})

test.each([
  'en-US',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'sv-SE',
  'pt-BR',
  'es-ES',
  'ar-EG',
  'fa-IR',
  'hi-IN',
  'he-IL',
  'ja-JP',
  'pl-PL',
  'th-TH',
])('numbers as %s writes them are read', (locale) => {
  for (const number of [0, 5, -5, 0.7, 1.5, 1234, 1234.5, -1234567.891, 99999, 10000.25]) {
    const written = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(number)
    expect(read(written, notationOf(locale)), written).toBe(number)
  }
})

test('a long text is not a number', () => {
  expect(read('1'.repeat(100_000))).toEqual(NO)
})
