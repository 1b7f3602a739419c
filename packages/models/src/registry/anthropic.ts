import type { ProviderDefinition } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf, THOUGHTS_FIELD } from './connection-fields.ts'
import { withoutSlash } from './model-list-requests.ts'

export const anthropic: ProviderDefinition = {
  description: {
    id: 'anthropic',
    label: 'Anthropic',
    summary: 'Claude models',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [THOUGHTS_FIELD, HEADERS_FIELD],
  },
  protocol: () => 'messages',
  optionsKey: () => 'anthropic',
  defaultOptions: () => ({}),
  sharedModels: true,
  hasManyVendors: false,
  modelList: ({ baseUrl, credentials }) => ({
    url: `${withoutSlash(baseUrl ?? 'https://api.anthropic.com/v1')}/models?limit=1000`,
    headers: { 'x-api-key': credentials.apiKey ?? '', 'anthropic-version': '2023-06-01' },
  }),
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
