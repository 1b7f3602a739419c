import { expect, test } from 'vitest'
import { dateFormat, numberFormat } from './formatters.ts'

test('a formatter is made once for each locale and each set of options', () => {
  const day = dateFormat('en', { day: 'numeric' })
  expect(dateFormat('en', { day: 'numeric' })).toBe(day)
  expect(dateFormat('en-GB', { day: 'numeric' })).not.toBe(day)
  expect(dateFormat('en', { month: 'short' })).not.toBe(day)
  expect(numberFormat('en', { maximumFractionDigits: 0 }).format(1_234.5)).toBe('1,235')
})
