import type { ProviderConnection } from '@troupe/agents/ports'
import type { ProviderDefinition, ProviderDependencies } from '../provider/provider.ts'
import {
  EMBEDDING_BATCH_FIELD,
  HEADERS_FIELD,
  headersOf,
  isRerankModel,
  present,
  THOUGHTS_FIELD,
} from './connection-fields.ts'

export const amazonBedrock: ProviderDefinition = {
  description: {
    id: 'amazon-bedrock',
    label: 'Amazon Bedrock',
    summary: 'Models of many makers in your AWS account',
    baseUrl: 'optional',
    credentials: [
      { name: 'apiKey', label: 'Bedrock API key', required: false, kind: 'string' },
      { name: 'accessKeyId', label: 'Access key id', required: false, kind: 'string' },
      { name: 'secretAccessKey', label: 'Secret access key', required: false, kind: 'string' },
      { name: 'sessionToken', label: 'Session token', required: false, kind: 'string' },
    ],
    settings: [
      {
        name: 'region',
        label: 'Region',
        required: true,
        kind: 'string',
        pattern: /^[a-z]{2,4}(-[a-z]+)+-\d+$/,
        hint: 'must be an AWS region such as eu-central-1',
      },
      EMBEDDING_BATCH_FIELD,
      THOUGHTS_FIELD,
      HEADERS_FIELD,
    ],
  },
  protocol: () => 'converse',
  optionsKey: () => 'amazonBedrock',
  defaultOptions: () => ({}),
  sharedModels: true,
  hasManyVendors: true,
  // A key can only list models, not the profiles that requests name.
  modelList: null,
  unusedParameters: () => ['seed'],
  check({ credentials }) {
    if (credentials.apiKey) return []
    return ['accessKeyId', 'secretAccessKey']
      .filter((name) => !credentials[name])
      .map((name) => ({ path: `credentials.${name}`, message: 'is required unless apiKey is given' }))
  },
  async load(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.languageModel(modelId)
  },
  async loadEmbeddings(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => provider.embeddingModel(modelId)
  },
  async loadReranking(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    return (modelId) => (isRerankModel(modelId) ? provider.rerankingModel(modelId) : null)
  },
}

async function connect(connection: ProviderConnection, { fetch }: ProviderDependencies) {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
  const region = String(connection.settings.region ?? '')
  return createAmazonBedrock({
    region,
    baseURL: connection.baseUrl ?? `https://bedrock-runtime.${region}.${domainOf(region)}`,
    apiKey: '',
    accessKeyId: '',
    secretAccessKey: '',
    ...present(connection.credentials, 'apiKey', 'accessKeyId', 'secretAccessKey', 'sessionToken'),
    headers: headersOf(connection),
    fetch,
  })
}

function domainOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn'
  return region.startsWith('eusc-') ? 'amazonaws.eu' : 'amazonaws.com'
}
