import { expect, test } from 'vitest'
import { csvText } from './csv.ts'

const line = (cell: string | number | null) => csvText(['h'], [[cell]]).split('\r\n')[1]

test.for([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  [12.5, '12.5'],
  [-3, '-3'],
  [null, ''],
] as const)('%j is written as %j', ([cell, text]) => {
  expect(line(cell)).toBe(text)
})

test.for(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\n=1', '|cmd'])('%j is not a formula', (cell) => {
  expect(line(cell)?.replace('"', '').startsWith("'")).toBe(true)
})

test('a quoted formula keeps its guard inside of the quotes', () => {
  expect(line('=HYPERLINK("https://evil.test","x")')).toBe('"\'=HYPERLINK(""https://evil.test"",""x"")"')
})

test('lines end as defined by the standard, and the file is marked as UTF-8', () => {
  expect(csvText(['a', 'b'], [['1', 'ö']])).toBe('\uFEFFa,b\r\n1,ö\r\n')
})
