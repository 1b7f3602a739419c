import type { ProviderDefinition } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf, OPTIONAL_FIELDS, THOUGHTS_FIELD } from './connection-fields.ts'
import { bearerModelList } from './model-list-requests.ts'

export const groq: ProviderDefinition = {
  description: {
    id: 'groq',
    label: 'Groq',
    summary: 'Open models, answered fast',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [...OPTIONAL_FIELDS, THOUGHTS_FIELD, HEADERS_FIELD],
  },
  protocol: () => 'chat',
  optionsKey: () => 'groq',
  defaultOptions: () => ({}),
  sharedModels: true,
  hasManyVendors: true,
  modelList: bearerModelList('https://api.groq.com/openai/v1'),
  async load(connection, { fetch }) {
    const { createGroq } = await import('@ai-sdk/groq')
    const provider = createGroq({
      baseURL: connection.baseUrl ?? 'https://api.groq.com/openai/v1',
      apiKey: connection.credentials.apiKey ?? '',
      headers: headersOf(connection),
      fetch,
    })
    return (modelId) => provider.languageModel(modelId)
  },
}
