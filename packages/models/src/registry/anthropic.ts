import type { ProviderDefinition } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf, THOUGHTS_FIELD } from './connection-fields.ts'

export const anthropic: ProviderDefinition = {
  description: {
    id: 'anthropic',
    label: 'Anthropic',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [THOUGHTS_FIELD, HEADERS_FIELD],
  },
  protocol: () => 'messages',
  optionsKey: () => 'anthropic',
  defaultOptions: () => ({}),
  sharedModels: true,
  unusedParameters: () => ['seed'],
  async load(connection, { fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const provider = createAnthropic({
      baseURL: connection.baseUrl ?? 'https://api.anthropic.com/v1',
      apiKey: connection.credentials.apiKey ?? '',
      headers: headersOf(connection),
      fetch,
    })
    return (modelId) => provider.languageModel(modelId)
  },
}
