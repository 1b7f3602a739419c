import type { ProviderForm } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { draftOfProvider } from './model-draft.ts'
import { editedPaths, modelFaults } from './model-faults.ts'

type ProviderField = ProviderForm['settings'][number]
const field = (name: string, more: Partial<ProviderField> = {}): ProviderField => ({
  ...{ name, label: name, required: false, requiredWithoutBaseUrl: false, kind: 'string' },
  ...{ choices: null, range: null, pattern: null, hint: null },
  ...more,
})
const provider: ProviderForm = {
  ...{
    providerId: 'azure-openai',
    label: 'Azure OpenAI',
    summary: '',
    baseUrl: 'optional',
    listsModels: false,
  },
  credentials: [field('apiKey', { required: true })],
  settings: [field('resourceName', { requiredWithoutBaseUrl: true }), field('apiVersion')],
}
const draft = { ...draftOfProvider(provider, null, []), slug: 'mine' }
const empty = { provider, draft, credentials: {}, stored: null, taken: ['mine'] }
const paths = (form: typeof empty | Parameters<typeof modelFaults>[0]) =>
  modelFaults(form).map(({ path }) => path)

test('an empty form has all of its errors at once, in the order of its fields', () => {
  expect(paths(empty)).toEqual(['credentials.apiKey', 'settings.resourceName', 'models', 'slug'])
})

test('a complete one has none: a stored secret counts until it is removed, and an address replaces a resource', () => {
  const stored = { credentialFields: [{ name: 'apiKey', isSet: true, hint: '', setAt: null }] }
  const complete = {
    ...{ provider, credentials: {}, stored, taken: [] },
    draft: { ...draft, baseUrl: 'https://x.test', models: [{ modelId: 'm' }] },
  }
  expect(paths(complete)).toEqual([])
  expect(paths({ ...complete, stored: null, credentials: { apiKey: ' sk ' } })).toEqual([])
  expect(paths({ ...complete, credentials: { apiKey: null } })).toEqual(['credentials.apiKey'])
})

test('a change clears the error of its own field, and of no other one', () => {
  const [one, two] = [{ modelId: 'one' }, { modelId: 'two' }]
  const before = { ...draft, models: [one, two], settings: { apiVersion: '1' } }
  expect(editedPaths(before, { slug: 'other' })).toEqual(['slug'])
  expect(editedPaths(before, { models: [one, { ...two, displayName: 'Two' }] })).toEqual([
    'models',
    'models.1',
  ])
  expect(editedPaths(before, { settings: { apiVersion: '1', resourceName: 'r' } })).toEqual([
    'settings.resourceName',
  ])
})
