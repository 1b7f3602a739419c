import type { ProviderDefinition } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf, OPTIONAL_FIELDS, THOUGHTS_FIELD } from './connection-fields.ts'
import { bearerModelList } from './model-list-requests.ts'

export const xai: ProviderDefinition = {
  description: {
    id: 'xai',
    label: 'xAI',
    summary: 'Grok models',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [...OPTIONAL_FIELDS, THOUGHTS_FIELD, HEADERS_FIELD],
  },
  protocol: () => 'responses',
  optionsKey: () => 'xai',
  defaultOptions: () => ({ store: false }),
  sharedModels: true,
  hasManyVendors: false,
  modelList: bearerModelList('https://api.x.ai/v1'),
  unusedParameters: () => ['stop_sequences'],
  async load(connection, { fetch }) {
    const { createXai } = await import('@ai-sdk/xai')
    const provider = createXai({
      baseURL: connection.baseUrl ?? 'https://api.x.ai/v1',
      apiKey: connection.credentials.apiKey ?? '',
      headers: headersOf(connection),
      fetch,
    })
    return (modelId) => provider.languageModel(modelId)
  },
}
