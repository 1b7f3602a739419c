import type { ProviderConnection } from '@troupe/agents/ports'
import type { ProviderDefinition, ProviderDependencies } from '../provider/provider.ts'
import {
  API_KEY,
  EMBEDDING_BATCH_FIELD,
  HEADERS_FIELD,
  headersOf,
  OPENAI_API,
  OPTIONAL_FIELDS,
  openaiProtocol,
  present,
  THOUGHTS_FIELD,
  unusedOfOpenaiApi,
} from './connection-fields.ts'
import { bearerModelList } from './model-list-requests.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'

export const openai: ProviderDefinition = {
  description: {
    id: 'openai',
    label: 'OpenAI',
    summary: 'GPT models, over the Responses or the Chat API',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [
      { name: 'organization', label: 'Organization', required: false, kind: 'string' },
      { name: 'project', label: 'Project', required: false, kind: 'string' },
      OPENAI_API,
      ...OPTIONAL_FIELDS,
      EMBEDDING_BATCH_FIELD,
      THOUGHTS_FIELD,
      HEADERS_FIELD,
    ],
  },
  protocol: openaiProtocol,
  optionsKey: () => 'openai',
  // The Responses API stores conversations at the provider by default. Troupe keeps them in its own database, and a
  // message that refers to a stored item would be meaningless to the next model of a chain.
  defaultOptions: () => ({ store: false }),
  sharedModels: true,
  hasManyVendors: false,
  modelList: bearerModelList('https://api.openai.com/v1'),
  unusedParameters: unusedOfOpenaiApi,
  async load(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return connection.settings.api === 'chat'
      ? (modelId) => provider.chat(modelId)
      : (modelId) => provider.responses(modelId)
  },
  loadEmbeddings: openaiEmbeddings(connect),
}

async function connect(connection: ProviderConnection, { fetch }: ProviderDependencies) {
  const { createOpenAI } = await import('@ai-sdk/openai')
  return createOpenAI({
    baseURL: connection.baseUrl ?? 'https://api.openai.com/v1',
    apiKey: connection.credentials.apiKey ?? '',
    ...present(connection.settings, 'organization', 'project'),
    headers: headersOf(connection),
    fetch,
  })
}
