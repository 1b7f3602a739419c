import type { ProviderDefinition } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf } from './connection-fields.ts'

export const mistral: ProviderDefinition = {
  description: {
    id: 'mistral',
    label: 'Mistral',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [HEADERS_FIELD],
  },
  optionsKey: 'mistral',
  defaultOptions: {},
  sharedModels: true,
  async load(connection, { fetch }) {
    const { createMistral } = await import('@ai-sdk/mistral')
    const provider = createMistral({
      baseURL: connection.baseUrl ?? 'https://api.mistral.ai/v1',
      apiKey: connection.credentials.apiKey ?? '',
      headers: headersOf(connection),
      fetch,
    })
    return (modelId) => provider.languageModel(modelId)
  },
}
