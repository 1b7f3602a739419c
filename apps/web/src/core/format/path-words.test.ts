import { expect, test } from 'vitest'
import { pathWords } from './path-words.ts'

test.each([
  ['', ''],
  ['name', 'Name'],
  ['baseUrl', 'Base URL'],
  ['credentials.apiKey', 'Credentials: API key'],
  ['models.1.contextLength', 'Models, 2: context length'],
  ['config.model.primary.llm_config_id', 'Config: model: primary: LLM configuration'],
  ['top_k', 'Top k'],
  ['settings.headers.X-Tenant', 'Settings: headers: X-Tenant'],
  ['0', '0'],
])('%j is %j', (path, words) => {
  expect(pathWords(path)).toBe(words)
})
