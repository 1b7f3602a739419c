import { expect, test } from 'vitest'
import { budgetAmount, budgetShare } from './budget-amount.ts'

test('amounts are money, whole numbers, and minutes with their fraction', () => {
  expect([
    budgetAmount('llm_cost_usd', 5),
    budgetAmount('llm_tokens', 12_480),
    budgetAmount('voice_minutes', 29.6),
  ]).toEqual(['$5.00', '12,480', '29.6'])
})

test('a budget is full only when all of it is used, and may be used beyond its limit', () => {
  expect([budgetShare(29.9, 30), budgetShare(30, 30), budgetShare(42, 30), budgetShare(1, 0)]).toEqual([
    '99%',
    '100%',
    '140%',
    '100%',
  ])
})
