import type { ProviderConnection } from '@troupe/agents/ports'
import type { ProviderDefinition, ProviderDependencies } from '../provider/provider.ts'
import {
  API_KEY,
  EMBEDDING_BATCH_FIELD,
  HEADERS_FIELD,
  headersOf,
  OPTIONAL_FIELDS,
  THOUGHTS_FIELD,
} from './connection-fields.ts'
import { bearerModelList } from './model-list-requests.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'

export const mistral: ProviderDefinition = {
  description: {
    id: 'mistral',
    label: 'Mistral',
    summary: 'Mistral models',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [...OPTIONAL_FIELDS, EMBEDDING_BATCH_FIELD, THOUGHTS_FIELD, HEADERS_FIELD],
  },
  protocol: () => 'chat',
  optionsKey: () => 'mistral',
  defaultOptions: () => ({}),
  sharedModels: true,
  hasManyVendors: false,
  modelList: bearerModelList('https://api.mistral.ai/v1'),
  async load(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.languageModel(modelId)
  },
  loadEmbeddings: openaiEmbeddings(connect),
}

async function connect(connection: ProviderConnection, { fetch }: ProviderDependencies) {
  const { createMistral } = await import('@ai-sdk/mistral')
  return createMistral({
    baseURL: connection.baseUrl ?? 'https://api.mistral.ai/v1',
    apiKey: connection.credentials.apiKey ?? '',
    headers: headersOf(connection),
    fetch,
  })
}
