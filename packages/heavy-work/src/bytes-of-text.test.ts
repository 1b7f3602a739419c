import { expect, test } from 'vitest'
import { bytesOfText } from './bytes-of-text.ts'

test('a text keeps two bytes for each character if one of them is not in Latin-1', () => {
  const text = 'é'.repeat(10_000)
  expect(bytesOfText(text)).toBe(10_000)
  expect(bytesOfText(`${text}€`)).toBe(20_002)
  expect(bytesOfText(JSON.parse(`"${text}€"`))).toBe(20_002)
  expect(bytesOfText('')).toBe(0)
})
