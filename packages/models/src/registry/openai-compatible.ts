import type { ProviderConnection } from '@troupe/agents/ports'
import type { ProviderDefinition, ProviderDependencies } from '../provider/provider.ts'
import {
  API_KEY,
  EMBEDDING_BATCH_FIELD,
  HEADERS_FIELD,
  headersOf,
  isRerankModel,
  OPTIONAL_FIELDS,
  present,
  THOUGHTS_FIELD,
} from './connection-fields.ts'
import { bearerModelList } from './model-list-requests.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'

export const openaiCompatible: ProviderDefinition = {
  description: {
    id: 'openai-compatible',
    label: 'OpenAI-compatible',
    summary: 'vLLM, Ollama, LM Studio, OpenRouter, a gateway: any server with OpenAI’s Chat API',
    baseUrl: 'required',
    // Local model servers often need no key.
    credentials: [{ ...API_KEY, required: false }],
    settings: [...OPTIONAL_FIELDS, EMBEDDING_BATCH_FIELD, THOUGHTS_FIELD, HEADERS_FIELD],
  },
  protocol: () => 'chat',
  optionsKey: () => 'openaiCompatible',
  defaultOptions: () => ({}),
  sharedModels: true,
  hasManyVendors: true,
  modelList: bearerModelList(''),
  async load(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.languageModel(modelId)
  },
  loadEmbeddings: openaiEmbeddings(connect),
  async loadReranking(connection, { fetch }) {
    const { createEndpointReranking } = await import('./rerank-endpoint.ts')
    const { apiKey } = connection.credentials
    const headers = { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headersOf(connection) }
    const endpoint = { baseUrl: connection.baseUrl ?? '', headers, fetch }
    return (modelId) => (isRerankModel(modelId) ? createEndpointReranking(modelId, endpoint) : null)
  },
}

async function connect(connection: ProviderConnection, { fetch }: ProviderDependencies) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: connection.baseUrl ?? '',
    ...present(connection.credentials, 'apiKey'),
    headers: headersOf(connection),
    // Without this option, these servers report no usage for streams.
    includeUsage: true,
    supportsStructuredOutputs: connection.settings.structuredOutputs !== false,
    fetch,
  })
}
