import type { LlmConfiguration } from '@troupe/contract/builder'
import { valueAt } from '@troupe/editor/values/json-path'
import { expect, test } from 'vitest'
import { isRepeated, nextFallback } from './rehearsed-chain.ts'

const NONE = { all: [], standard: null }

test.each([
  [{ llm_config_id: null, model_id: null }, true],
  [{ llm_config_id: null, model_id: 'small' }, false],
  [{ llm_config_id: 'other', model_id: null }, false],
])('a fallback with the same model as the primary one is a repetition: %j', (fallback, isAgain) => {
  const model = { primary: { llm_config_id: null, model_id: null }, fallbacks: [fallback] }
  const form = { value: (path: string) => valueAt({ model }, path) }
  expect(isRepeated(form, 'model', 1, NONE)).toBe(isAgain)
  expect(isRepeated(form, 'model', 0, NONE)).toBe(false)
})

const configuration = (
  llmConfigId: string,
  status: LlmConfiguration['status'],
  ...modelIds: string[]
): LlmConfiguration => ({
  ...{ llmConfigId, slug: llmConfigId, name: llmConfigId, projectId: null, projectName: null, status },
  ...{ providerId: 'openai', default: false, baseUrl: null, settings: {}, allowUnlistedModels: false },
  ...{ unusedParameters: [], credentialFields: [], usedBy: [], version: 1, createdAt: '', updatedAt: '' },
  models: modelIds.map((modelId) => ({ modelId })),
})

test('a new fallback is a configuration that the chain does not have, or else another model of one', () => {
  const main = configuration('main', 'connected', 'small', 'large')
  const off = configuration('off', 'disconnected', 'small')
  const backup = configuration('backup', 'connected', 'small')
  const choices = { all: [main, off, backup], standard: main }
  const added = (...fallbacks: object[]) => {
    const model = { primary: { llm_config_id: null, model_id: null }, fallbacks }
    return nextFallback({ value: (path: string) => valueAt({ model }, path) }, 'model', choices)
  }
  const second = { llm_config_id: 'backup', model_id: null }
  const third = { llm_config_id: 'main', model_id: 'large' }
  expect(added()).toEqual(second)
  expect(added(second)).toEqual(third)
  expect(added(second, third)).toEqual({ llm_config_id: null, model_id: null })
})
