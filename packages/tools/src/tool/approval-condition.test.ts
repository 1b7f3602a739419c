import type { ApprovalCondition } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { meetsCondition } from './approval-condition.ts'

const meets = (op: ApprovalCondition['op'], value: unknown, argument: unknown) =>
  meetsCondition({ field: 'a', op, value }, { a: argument })

// Unicode case folding: https://www.unicode.org/Public/UCD/latest/ucd/CaseFolding.txt
test.each<[ApprovalCondition['op'], unknown, unknown, boolean]>([
  ['eq', 'EUR', 'eur', true],
  ['eq', 'eur', 'Eur', true],
  ['eq', 'EUR', ' EUR\n', true],
  ['eq', 'EUR', 'ＥＵＲ', true],
  ['eq', 'EUR', 'E\u200bUR', true],
  ['eq', 'EUR', 'USD', false],
  ['eq', 'straße', 'STRASSE', true],
  ['eq', 'ΟΔΟΣ', 'οδος', true],
  ['eq', 'İstanbul', 'istanbul', true],
  ['eq', 'é', 'E\u0301', true],
  ['eq', ['EUR', { b: 'X' }], ['eur', { b: 'x' }], true],
  ['eq', '100', '100.00', true],
  ['eq', 100, '１００', true],
  ['eq', '100', '101', false],
  ['eq', 100, 'hundred', true],
  ['neq', 'EUR', 'eur', false],
  ['neq', 'EUR', 'E\u200bUR', true],
  ['neq', 'EUR', 'usd', true],
  ['contains', 'Delete', 'please DELETE it', true],
  ['contains', 'EUR', ['usd', 'eur'], true],
  ['contains', 'EUR', ['usd'], false],
  ['not_contains', 'internal', 'an INTERNAL note', false],
  ['not_contains', 'internal', 'a note', true],
  ['starts_with', 'Admin', 'ADMINISTRATOR', true],
  ['ends_with', '@Corp.example', 'bob@corp.EXAMPLE', true],
  ['matches', '^(EUR|USD)$', 'eur', true],
  ['matches', '^(EUR|USD)$', ' ＵＳＤ', true],
  ['matches', '^\\D+$', 'abc', true],
  ['matches', '^(EUR|USD)$', 'gbp', false],
  ['eq', 'Große Straße', 'GROẞE STRASSE', true],
  ['contains', 'ΟΔΟΣ', 'οδοσήμανση', true],
  ['starts_with', 'Λόγος', 'ΛΌΓΟΣΟΦΊΑ', true],
  ['gt', 100, '150', true],
  ['gt', 100, '1,000 EUR', true],
  ['gt', 100, 50, false],
  ['is_true', undefined, 'TRUE', true],
  ['is_true', undefined, false, false],
  ['is_empty', undefined, '', true],
  ['is_empty', undefined, 'x', false],
])('%s %j of %j is %j', (op, value, argument, expected) => {
  expect(meets(op, value, argument)).toBe(expected)
})

test('a text in any case is the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      expect(meets('eq', text, text.toUpperCase())).toBe(true)
      expect(meets('eq', text, text.toLowerCase())).toBe(true)
    }),
  )
})

test('a value that is too deep to compare needs an approval', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 70_000; level += 1) deep = [deep]
  expect(meets('eq', 'x', deep)).toBe(true)
})
