import { expect, test } from 'vitest'
import { changedNumbers } from './changed-numbers.ts'
import { compareDecimals, decimalOf, isKeptByDouble, isNumberAsText } from './decimal.ts'

test.each([
  ['0', true],
  ['-0', true],
  ['0.000', true],
  ['0.1', true],
  ['1e3', true],
  ['1.0', true],
  ['1.500000000000000000000', true],
  ['0.30000000000000004', true],
  ['5e-324', true],
  ['1.7976931348623157e308', true],
  ['9007199254740991', true],
  ['9007199254740992', true],
  ['1e300', true],
  ['8202522731445526000', true],
  // `json_encode` of PHP with `serialize_precision=17`, and `printf("%.17g")`.
  ['0.10000000000000001', true],
  ['19.989999999999998', true],
  // `avg()` of PostgreSQL, `%.16g` and `%.17g` of C.
  ['3.3333333333333333', true],
  ['8.123456789012345', true],
  ['48.858370099999999', true],
  ['123456789012345.67', true],
  ['9.9999999999999992e+22', true],
  ['1234567890123456.78', false],
  ['9007199254740993', false],
  ['8202522731445525542', false],
  ['-9223372036854775808', false],
  ['36028797018963968', false],
  ['12345678901234567890.0', false],
  ['0.123456789012345678', false],
  ['1.10000000000000001', false],
  ['3.141592653589793238', false],
  ['12345678901234567.89', false],
  ['1e400', false],
  ['-1e400', false],
  ['1e-400', false],
  ['1e999999999999999999', false],
])('a double preserves %s: %s', (literal, kept) => {
  expect(isKeptByDouble(literal)).toBe(kept)
  expect(isNumberAsText(literal)).toBe(!kept)
  expect(changedNumbers(`{"a":[${literal}]}`, 9).map(({ path }) => path)).toEqual(kept ? [] : ['a.0'])
})

test('every number that JSON.stringify writes is preserved', () => {
  let seed = 7
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  for (let round = 0; round < 3_000; round += 1) {
    const number = (next() - 0.5) * 10 ** Math.floor(next() * 600 - 300)
    expect(isKeptByDouble(JSON.stringify(number)), String(number)).toBe(true)
    expect(isKeptByDouble(JSON.stringify(Math.round(number))), String(number)).toBe(true)
  }
})

test.each([
  ['9007199254740993', '9007199254740992', 1],
  ['0.1', '0.10000000000000001', -1],
  ['-0.1', '-0.10000000000000001', 1],
  ['1e3', '1000.0', 0],
  ['-0', '0.00', 0],
  ['0', '1e-5', -1],
  ['-1', '0', -1],
  ['100', '20', 1],
  ['.5', '0.50', 0],
  ['+7.', '7', 0],
  ['1e400', '9e399', 1],
])('%s and %s: %d', (a, b, order) => {
  const [left, right] = [decimalOf(a), decimalOf(b)]
  if (!left || !right) throw new Error('not read')
  expect(Math.sign(compareDecimals(left, right))).toBe(order)
  expect(Math.sign(compareDecimals(right, left)) + order).toBe(0)
})

test.each([
  '',
  '.',
  'e5',
  '1e',
  '0x10',
  '1_000',
  '1,5',
  ' 1',
  '٣',
  'Infinity',
  '−5',
])('%j is not a decimal', (text) => {
  expect(decimalOf(text)).toBeNull()
})

test.each([
  '"a 12345678901234567890"',
  '{"12345678901234567890":"\\"12345678901234567890"}',
  '[1.2.3.4.5.6.7.8.9.10]',
])('no number is found in %s', (text) => {
  expect(changedNumbers(text, 9)).toEqual([])
})
