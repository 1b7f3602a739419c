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
import { openaiEmbeddings } from './openai-embeddings.ts'

export const azureOpenai: ProviderDefinition = {
  description: {
    id: 'azure-openai',
    label: 'Azure OpenAI',
    summary: 'OpenAI models in your Azure subscription',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [
      {
        name: 'resourceName',
        label: 'Resource name',
        required: false,
        requiredWithoutBaseUrl: true,
        kind: 'string',
        pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
        hint: 'must be a single DNS label: letters, digits and hyphens',
      },
      { name: 'apiVersion', label: 'API version', required: false, kind: 'string' },
      { name: 'deploymentUrls', label: 'Deployment-based URLs', required: false, kind: 'boolean' },
      OPENAI_API,
      ...OPTIONAL_FIELDS,
      EMBEDDING_BATCH_FIELD,
      THOUGHTS_FIELD,
      HEADERS_FIELD,
    ],
  },
  protocol: openaiProtocol,
  // The package's chat models read the options of OpenAI (https://github.com/anomalyco/opencode/pull/20333).
  optionsKey: ({ api }) => (api === 'chat' ? 'openai' : 'azure'),
  // Azure stores chat completions only on request, and earlier versions of its API do not know the field.
  defaultOptions: ({ api }) => (api === 'chat' ? {} : { store: false }),
  sharedModels: true,
  hasManyVendors: true,
  // A key can only list models, not the deployments that requests name.
  modelList: null,
  unusedParameters: unusedOfOpenaiApi,
  check: ({ baseUrl, settings }) =>
    baseUrl || settings.resourceName
      ? []
      : [{ path: 'settings.resourceName', message: 'is required unless a base URL is given' }],
  async load(connection, dependencies) {
    const provider = await connect(connection, dependencies)
    const place = placeOf(connection)
    return connection.settings.api === 'chat'
      ? (modelId) => provider.chat(place(modelId))
      : (modelId) => provider.responses(place(modelId))
  },
  loadEmbeddings: openaiEmbeddings(connect, placeOf),
}

async function connect(connection: ProviderConnection, { fetch }: ProviderDependencies) {
  const { createAzure } = await import('@ai-sdk/azure')
  return createAzure({
    ...(connection.baseUrl === null ? {} : { baseURL: connection.baseUrl }),
    apiKey: connection.credentials.apiKey ?? '',
    resourceName: '',
    ...present(connection.settings, 'resourceName', 'apiVersion'),
    useDeploymentBasedUrls: connection.settings.deploymentUrls === true,
    headers: headersOf(connection),
    fetch,
  })
}

/** With deployment URLs the package inserts the id into the path unescaped, as one segment. */
function placeOf({ settings }: ProviderConnection): (modelId: string) => string {
  return settings.deploymentUrls === true ? encodeURIComponent : (modelId) => modelId
}
