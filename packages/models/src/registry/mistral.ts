import type { ProviderConnection } from '@troupe/agents/ports'
import type { ProviderDefinition, ProviderDependencies } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf } from './connection-fields.ts'

export const mistral: ProviderDefinition = {
  description: {
    id: 'mistral',
    label: 'Mistral',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [HEADERS_FIELD],
  },
  protocol: () => 'chat',
  optionsKey: 'mistral',
  defaultOptions: {},
  sharedModels: true,
  async load(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.languageModel(modelId)
  },
  async loadEmbeddings(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.embeddingModel(modelId)
  },
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
