import type { ProviderDefinition } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf } from './connection-fields.ts'

export const google: ProviderDefinition = {
  description: {
    id: 'google',
    label: 'Google Gemini',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [HEADERS_FIELD],
  },
  optionsKey: 'google',
  defaultOptions: {},
  sharedModels: true,
  async load(connection, { fetch }) {
    const { createGoogle } = await import('@ai-sdk/google')
    const provider = createGoogle({
      baseURL: connection.baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta',
      apiKey: connection.credentials.apiKey ?? '',
      headers: headersOf(connection),
      fetch,
    })
    // The package inserts the id into the path unescaped.
    return (modelId) => provider.languageModel(modelId.split('/').map(encodeURIComponent).join('/'))
  },
}
