import { expect, test } from 'vitest'
import { budgetForecast, dayOfMonth } from './forecast.ts'

const NOON_OF_11TH = Date.UTC(2026, 10, 11, 0)

test('at the pace of ten days, a budget that is half used is full after twenty', () => {
  const forecast = budgetForecast({ used: 50, limit: 100 }, NOON_OF_11TH)
  expect(forecast).toEqual({ kind: 'full-on', at: Date.UTC(2026, 10, 21) })
})

test('a sufficient one shows its expected usage', () => {
  expect(budgetForecast({ used: 10, limit: 100 }, NOON_OF_11TH)).toEqual({ kind: 'ends', share: 0.3 })
})

test('a used-up one is full, also with a limit of nothing; an unused one has no pace', () => {
  expect(budgetForecast({ used: 7, limit: 7 }, NOON_OF_11TH).kind).toBe('full')
  expect(budgetForecast({ used: 0, limit: 0 }, NOON_OF_11TH).kind).toBe('full')
  expect(budgetForecast({ used: 0, limit: 7 }, NOON_OF_11TH).kind).toBe('unused')
})

test('the first day of a month is too early', () => {
  expect(budgetForecast({ used: 1, limit: 7 }, Date.UTC(2026, 10, 1, 20)).kind).toBe('early')
})

test.for([
  [1, 'the 1st'],
  [2, 'the 2nd'],
  [11, 'the 11th'],
  [23, 'the 23rd'],
] as const)('the day %i is "%s"', ([day, words]) => {
  expect(dayOfMonth(Date.UTC(2026, 10, day, 12))).toBe(words)
})
