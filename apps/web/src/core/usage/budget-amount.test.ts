import { expect, test } from 'vitest'
import { budgetAmount, budgetShare, shortBudgetAmount } from './budget-amount.ts'

test('amounts are money, whole numbers, and minutes with their fraction', () => {
  expect([
    budgetAmount('llm_cost_usd', 5),
    budgetAmount('llm_tokens', 12_480),
    budgetAmount('voice_minutes', 29.6),
  ]).toEqual(['$5.00', '12,480', '29.6'])
})

test('a table shows millions in short, except of money', () => {
  expect([
    shortBudgetAmount('llm_tokens', 77_512_480),
    shortBudgetAmount('llm_tokens', 999_999),
    shortBudgetAmount('workflow_runs', 2_000_000),
    shortBudgetAmount('llm_cost_usd', 1_250_000),
  ]).toEqual(['77.5M', '999,999', '2M', '$1,250,000.00'])
})

test('a budget is full only when all of it is used, and may be used beyond its limit', () => {
  expect([budgetShare(29.9, 30), budgetShare(30, 30), budgetShare(42, 30), budgetShare(1, 0)]).toEqual([
    '99%',
    '100%',
    '140%',
    '100%',
  ])
})
