import type { ProviderDefinition } from '../provider/provider.ts'
import { API_KEY, HEADERS_FIELD, headersOf, OPENAI_API, present } from './connection-fields.ts'

export const azureOpenai: ProviderDefinition = {
  description: {
    id: 'azure-openai',
    label: 'Azure OpenAI',
    baseUrl: 'optional',
    credentials: [API_KEY],
    settings: [
      {
        name: 'resourceName',
        label: 'Resource name',
        required: false,
        kind: 'string',
        pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
        hint: 'must be a single DNS label: letters, digits and hyphens',
      },
      { name: 'apiVersion', label: 'API version', required: false, kind: 'string' },
      { name: 'deploymentUrls', label: 'Deployment-based URLs', required: false, kind: 'boolean' },
      OPENAI_API,
      HEADERS_FIELD,
    ],
  },
  optionsKey: 'azure',
  defaultOptions: { store: false },
  sharedModels: true,
  check: ({ baseUrl, settings }) =>
    baseUrl || settings.resourceName
      ? []
      : [{ path: 'settings.resourceName', message: 'is required unless baseUrl is given' }],
  async load(connection, { fetch }) {
    const { createAzure } = await import('@ai-sdk/azure')
    const provider = createAzure({
      ...(connection.baseUrl === null ? {} : { baseURL: connection.baseUrl }),
      apiKey: connection.credentials.apiKey ?? '',
      resourceName: '',
      ...present(connection.settings, 'resourceName', 'apiVersion'),
      useDeploymentBasedUrls: connection.settings.deploymentUrls === true,
      headers: headersOf(connection),
      fetch,
    })
    // With deployment URLs the package inserts the id into the path unescaped, as one segment.
    const place = connection.settings.deploymentUrls === true ? encodeURIComponent : (id: string) => id
    return connection.settings.api === 'chat'
      ? (modelId) => provider.chat(place(modelId))
      : (modelId) => provider.responses(place(modelId))
  },
}
