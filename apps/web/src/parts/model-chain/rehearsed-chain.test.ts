import { expect, test } from 'vitest'
import { valueAt } from '../../core/forms/json-path.ts'
import { isRepeated } from './rehearsed-chain.ts'

const NONE = { all: [], standard: null }

test.each([
  [{ llm_config_id: null, model_id: null }, true],
  [{ llm_config_id: null, model_id: 'small' }, false],
  [{ llm_config_id: 'other', model_id: null }, false],
])('a fallback that asks the model of the primary one again is repeated: %j', (fallback, isAgain) => {
  const model = { primary: { llm_config_id: null, model_id: null }, fallbacks: [fallback] }
  const form = { value: (path: string) => valueAt({ model }, path) }
  expect(isRepeated(form, 'model', 1, NONE)).toBe(isAgain)
  expect(isRepeated(form, 'model', 0, NONE)).toBe(false)
})
