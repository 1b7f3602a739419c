import type { LlmConfiguration } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import {
  chosenConfiguration,
  configurationOptions,
  llmChoices,
  modelName,
  modelOptions,
} from './llm-choices.ts'

function configuration(
  change: Partial<LlmConfiguration> & Pick<LlmConfiguration, 'llmConfigId'>,
): LlmConfiguration {
  return {
    slug: change.llmConfigId,
    name: change.llmConfigId,
    projectId: null,
    projectName: null,
    providerId: 'openai',
    status: 'connected',
    default: false,
    baseUrl: null,
    settings: {},
    models: [{ modelId: 'gpt-5-mini', displayName: 'GPT-5 mini', contextLength: 400_000 }, { modelId: 'o9' }],
    allowUnlistedModels: false,
    unusedParameters: [],
    credentialFields: [],
    usedBy: [],
    version: 1,
    createdAt: '2026-11-22T10:00:00Z',
    updatedAt: '2026-11-22T10:00:00Z',
    ...change,
  }
}
const ALL = [
  configuration({ llmConfigId: 'main', default: true }),
  configuration({ llmConfigId: 'shop', projectId: 'p1', default: true }),
  configuration({ llmConfigId: 'other', projectId: 'p2' }),
]

test('an agent of a project sees its configurations and those of the organization, one of the organization all', () => {
  expect(llmChoices(ALL, 'p1').all.map(({ llmConfigId }) => llmConfigId)).toEqual(['main', 'shop'])
  expect(llmChoices(ALL, null).all).toHaveLength(3)
})

test('without a choice the default of the project is used, otherwise that of the organization', () => {
  expect(chosenConfiguration(llmChoices(ALL, 'p1'), null)?.llmConfigId).toBe('shop')
  expect(chosenConfiguration(llmChoices(ALL, 'p2'), null)?.llmConfigId).toBe('main')
  expect(chosenConfiguration(llmChoices(ALL, null), null)?.llmConfigId).toBe('main')
  expect(chosenConfiguration(llmChoices(ALL, null), 'gone')).toBeNull()
})

test('a chosen configuration or model that is not listed stays to see', () => {
  expect(configurationOptions(llmChoices(ALL, null), 'gone').map(({ id }) => id)).toContain('gone')
  expect(modelOptions(ALL[0] ?? null, 'old-model', '').map(({ id }) => id)).toEqual([
    'first',
    'gpt-5-mini',
    'o9',
    'old-model',
  ])
})

test('a typed model is offered only where the configuration allows it', () => {
  const open = configuration({ llmConfigId: 'open', allowUnlistedModels: true })
  expect(modelOptions(open, null, 'brand-new').map(({ id }) => id)).toEqual(['brand-new'])
  expect(modelOptions(open, null, '../secret space').map(({ id }) => id)).toEqual([])
  expect(modelOptions(ALL[0] ?? null, null, 'brand-new')).toEqual([])
})

test('a link is called by its model', () => {
  expect(modelName(ALL[0] ?? null, null)).toBe('GPT-5 mini')
  expect(modelName(ALL[0] ?? null, 'o9')).toBe('o9')
  expect(modelName(null, null)).toBe('–')
})
