import { expect, test } from 'vitest'
import { budgetOfPause } from './budget-pause.ts'

test.for([
  ['budget llm_tokens used up', 'llm_tokens'],
  ['budget llm_cost_usd of the project used up', 'llm_cost_usd'],
  ['budget of_another_kind used up', null],
  ['paused by a person', null],
  [null, null],
] as const)('a run with "%s" waits for the budget of %s', ([reason, metric]) => {
  expect(budgetOfPause(reason)).toBe(metric)
})
