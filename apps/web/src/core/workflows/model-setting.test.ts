import { expect, test } from 'vitest'
import { modelLinks, withModelAt } from './model-setting.ts'

const STORED = {
  primary: { llm_config_id: 'a', model_id: 'one', temperature: 0.2 },
  fallbacks: [{ llm_config_id: 'b', on: ['timeout'] }],
  retry: { attempts_per_model: 3 },
}

test('a choice changes its value, and keeps every other setting of the chain', () => {
  expect(withModelAt(STORED, 'primary.model_id', 'two')).toEqual({
    ...STORED,
    primary: { ...STORED.primary, model_id: 'two' },
  })
  expect(withModelAt(STORED, 'primary.llm_config_id', null)).toEqual({
    ...STORED,
    primary: { model_id: 'one', temperature: 0.2 },
  })
})

test('back at the defaults, nothing is stored', () => {
  const chosen = withModelAt(undefined, 'primary.llm_config_id', 'a')
  expect(chosen).toEqual({ primary: { llm_config_id: 'a' } })
  expect(withModelAt(chosen, 'primary.llm_config_id', null)).toBeUndefined()
})

test('the models of a chain are read in order, with their other settings', () => {
  expect(modelLinks(STORED)).toEqual({
    links: [
      { configurationId: 'a', modelId: 'one' },
      { configurationId: 'b', modelId: null },
    ],
    rest: { retry: { attempts_per_model: 3 }, models: [{ temperature: 0.2 }, { on: ['timeout'] }] },
  })
  expect(modelLinks({ primary: { model_id: 'one' } })).toEqual({
    links: [{ configurationId: null, modelId: 'one' }],
    rest: null,
  })
})
