import type { ProviderConnection } from '@troupe/agents/ports'
import type { ProviderDefinition, ProviderDependencies } from '../provider/provider.ts'
import {
  API_KEY,
  EMBEDDING_BATCH_FIELD,
  HEADERS_FIELD,
  headersOf,
  THOUGHTS_FIELD,
} from './connection-fields.ts'
import { withoutSlash } from './model-list-requests.ts'

export const google: ProviderDefinition = {
  description: {
    id: 'google',
    label: 'Google Gemini',
    summary: 'Gemini models',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [EMBEDDING_BATCH_FIELD, THOUGHTS_FIELD, HEADERS_FIELD],
  },
  protocol: () => 'gemini',
  optionsKey: () => 'google',
  defaultOptions: () => ({}),
  sharedModels: true,
  hasManyVendors: false,
  modelList: ({ baseUrl, credentials }) => ({
    url: `${withoutSlash(baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta')}/models?pageSize=1000`,
    headers: { 'x-goog-api-key': credentials.apiKey ?? '' },
  }),
  async load(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.languageModel(inPath(modelId))
  },
  async loadEmbeddings(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.embeddingModel(inPath(modelId))
  },
}

async function connect(connection: ProviderConnection, { fetch }: ProviderDependencies) {
  const { createGoogle } = await import('@ai-sdk/google')
  return createGoogle({
    baseURL: connection.baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta',
    apiKey: connection.credentials.apiKey ?? '',
    headers: headersOf(connection),
    fetch,
  })
}

/** The package inserts the id into the path unescaped. */
function inPath(modelId: string): string {
  return modelId.split('/').map(encodeURIComponent).join('/')
}
