import type { LlmConfiguration, ProviderForm } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import {
  changedFields,
  draftOfConfiguration,
  draftOfProvider,
  headersOfConfiguration,
  isModelEdit,
  joinDrafts,
  joinHeaders,
  mergedModelEdits,
  modelEditSince,
  renamed,
  settingsToSend,
} from './model-draft.ts'

const field = {
  ...{ label: '', required: false, requiredWithoutBaseUrl: false },
  ...{ choices: null, range: null, pattern: null, hint: null },
}
const PROVIDER: ProviderForm = {
  providerId: 'openai',
  label: 'OpenAI',
  summary: '',
  baseUrl: 'optional',
  listsModels: true,
  credentials: [{ ...field, name: 'apiKey', kind: 'string', required: true }],
  settings: [
    { ...field, name: 'api', kind: 'choice', choices: ['responses', 'chat'] },
    { ...field, name: 'embeddingBatch', kind: 'integer', range: [1, 64] },
    { ...field, name: 'headers', kind: 'headers' },
  ],
}
const STORED: LlmConfiguration = {
  llmConfigId: '6f0e0000-0000-4000-8000-000000000001',
  slug: 'main',
  name: 'Main',
  projectId: null,
  projectName: null,
  providerId: 'openai',
  status: 'connected',
  default: true,
  baseUrl: null,
  settings: { api: 'chat', headers: { 'x-gateway': null } },
  models: [{ modelId: 'gpt-5' }],
  allowUnlistedModels: false,
  unusedParameters: [],
  credentialFields: [],
  usedBy: [],
  version: 3,
  createdAt: '2026-05-03T10:00:00Z',
  updatedAt: '2026-05-03T10:00:00Z',
}

test('a draft has nothing that may be secret, and can be read again', () => {
  const draft = draftOfConfiguration(STORED)
  expect(draft.settings).toEqual({ api: 'chat' })
  expect(isModelEdit(JSON.parse(JSON.stringify({ from: draft, now: draft })))).toBe(true)
  expect(isModelEdit({ from: draft, now: { name: 'of an older build' } })).toBe(false)
  expect(isModelEdit(null)).toBe(false)
})

test('stored headers are kept unless they are typed again or removed', () => {
  const headers = headersOfConfiguration(PROVIDER, STORED)
  expect(headers).toEqual([{ name: 'x-gateway', value: '', isStored: true }])
  expect(settingsToSend(PROVIDER, { api: 'chat' }, headers)).toEqual({
    api: 'chat',
    headers: { 'x-gateway': null },
  })
  const typed = [
    { name: ' x-tenant ', value: 'a', isStored: false },
    ...headers.map((row) => ({ ...row, value: 'b' })),
  ]
  expect(settingsToSend(PROVIDER, { api: '' }, typed)).toEqual({
    headers: { 'x-tenant': 'a', 'x-gateway': 'b' },
  })
  expect(settingsToSend(PROVIDER, {}, [])).toEqual({})
})

test('an edit is merged with the change of somebody else, field by field', () => {
  const from = draftOfConfiguration(STORED)
  const now = { ...from, name: 'Mine' }
  expect(changedFields(from, now)).toEqual(['name'])
  const theirs = { ...from, name: 'Theirs', models: [{ modelId: 'gpt-6' }] }
  expect(joinDrafts({ from, now }, theirs)).toEqual({ ...theirs, name: 'Mine' })
})

test('models that two people added are joined by id, and settings by name', () => {
  const from = {
    ...draftOfConfiguration(STORED),
    models: [{ modelId: 'a' }, { modelId: 'b' }, { modelId: 'c' }],
  }
  const now = {
    ...from,
    settings: { ...from.settings, organization: 'mine' },
    models: [{ modelId: 'a', displayName: 'A' }, { modelId: 'b' }, { modelId: 'x' }],
  }
  const theirs = {
    ...from,
    settings: { api: 'responses' },
    models: [{ modelId: 'a' }, { modelId: 'c' }, { modelId: 'y' }],
  }
  expect(joinDrafts({ from, now }, theirs)).toMatchObject({
    settings: { api: 'responses', organization: 'mine' },
    models: [{ modelId: 'a', displayName: 'A' }, { modelId: 'y' }, { modelId: 'x' }],
  })
})

test('headers that two people added are joined by name', () => {
  const row = (name: string, value = '') => ({ name, value, isStored: value === '' })
  const from = [row('kept'), row('retyped'), row('removed')]
  const now = [row('kept'), row('retyped', 'new'), row('mine', 'value')]
  const theirs = [row('kept'), row('retyped'), row('removed'), row('theirs')]
  expect(joinHeaders({ from, now }, theirs)).toEqual([
    row('kept'),
    row('retyped', 'new'),
    row('theirs'),
    row('mine', 'value'),
  ])
})

test('the first configuration of an organization is its default, and a second one has another slug', () => {
  expect(draftOfProvider(PROVIDER, null, [])).toMatchObject({ name: 'OpenAI', slug: 'openai', default: true })
  expect(draftOfProvider(PROVIDER, 'p', ['openai', 'openai-2'])).toMatchObject({
    name: 'OpenAI 3',
    slug: 'openai-3',
    projectId: 'p',
    default: false,
  })
})

test('the slug of a new configuration follows its name until another one is typed', () => {
  const draft = draftOfProvider(PROVIDER, null, ['openai'])
  const named = { ...draft, ...renamed(draft, 'My Ollama', 'openai') }
  expect(named).toMatchObject({ name: 'My Ollama', slug: 'my-ollama' })
  expect(renamed(named, 'Other', 'openai')).toEqual({ name: 'Other', slug: 'other' })
  expect(renamed({ ...named, slug: 'typed' }, 'Other', 'openai')).toEqual({ name: 'Other' })
})

test('two edits of one person are one, on the newer version of both', () => {
  const from = draftOfConfiguration(STORED)
  const newer = {
    ...from,
    status: 'disconnected' as const,
    models: [{ modelId: 'gpt-5' }, { modelId: 'added' }],
  }
  const local = { edit: { from, mine: { ...from, name: 'Typed here' } }, base: '3' }
  const remote = { edit: { from: newer, mine: { ...newer, slug: 'typed-there' } }, base: '4' }
  const both = { ...newer, name: 'Typed here', slug: 'typed-there' }
  expect(mergedModelEdits({ local, former: null, remote })).toEqual({
    edit: { from: newer, mine: both },
    base: '4',
  })
  expect(mergedModelEdits({ local: remote, former: null, remote: local })).toEqual({
    edit: { from: newer, mine: both },
    base: '4',
  })
  // A name that both devices have is the last one typed.
  const again = { edit: { from, mine: { ...from, name: 'Typed there' } }, base: '3' }
  expect(mergedModelEdits({ local, former: local, remote: again }).edit.mine.name).toBe('Typed there')
})

test('after an edit was saved on another device, only later input remains, including a value that was set back', () => {
  const from = draftOfConfiguration(STORED)
  const former = { ...from, name: 'Agreed', baseUrl: 'https://agreed.example' }
  const edit = (mine: typeof from, base = '3') => ({ edit: { from, mine }, base })
  expect(modelEditSince(edit(former), edit(former))).toBeNull()
  const typed = { ...former, name: from.name, models: [...from.models, { modelId: 'typed' }] }
  const left = modelEditSince(edit(typed), edit(former))
  if (left === null) throw new Error('nothing is left')
  expect(changedFields(left.edit.from, left.edit.mine)).toEqual(['name', 'models'])
  // The other device has saved the agreed name and another address.
  const saved = { ...former, baseUrl: 'https://saved.example' }
  const { from: base, mine: now } = left.edit
  expect(joinDrafts({ from: base, now }, saved)).toEqual({
    ...saved,
    name: from.name,
    models: typed.models,
  })
})

test('of an edit on a newer version than the saved one only later input stays', () => {
  const from = draftOfConfiguration(STORED)
  const newer = { ...from, slug: 'of-a-colleague' }
  const former = { edit: { from, mine: { ...from, name: 'Agreed' } }, base: '3' }
  const local = { edit: { from: newer, mine: { ...newer, name: 'Agreed', default: false } }, base: '4' }
  expect(modelEditSince(local, former)).toEqual({
    edit: { from: newer, mine: { ...newer, default: false } },
    base: '4',
  })
})
