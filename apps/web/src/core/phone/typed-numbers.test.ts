import { expect, test } from 'vitest'
import { e164Of, typedNumbers } from './typed-numbers.ts'

test.each([
  ['+44 20 7946 0100', '+442079460100'],
  ['+44 (0)20 7946-0100', '+442079460100'],
  ['0033 1.42.68.53.00', '+33142685300'],
  ['tel:+1-202-555-0142', '+12025550142'],
  ['+49\u00A030\u202F1234567', '+49301234567'],
])('%s is read as %s', (typed, number) => {
  expect(e164Of(typed)).toBe(number)
})

test('duplicates in a pasted column of numbers are merged, and invalid ones are named', () => {
  const text = '+44 20 7946 0100\r\n"+33142685300"; 020 7946 0100,+442079460100\n\n\tAna\n'
  expect(typedNumbers(text)).toEqual({
    numbers: ['+442079460100', '+33142685300'],
    wrong: ['020 7946 0100', 'Ana'],
  })
})

test('an empty text has no numbers and nothing wrong', () => {
  expect(typedNumbers(' \n,;')).toEqual({ numbers: [], wrong: [] })
})
