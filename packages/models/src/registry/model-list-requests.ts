import type { ProviderConnection } from '@troupe/agents/ports'
import type { ModelListRequest } from '../provider/provider.ts'

/** The request for a list of models at `/models` with the key as a bearer token, as of OpenAI. */
export function bearerModelList(defaultUrl: string): (connection: ProviderConnection) => ModelListRequest {
  return ({ baseUrl, credentials, settings }) => ({
    url: `${withoutSlash(baseUrl ?? defaultUrl)}/models`,
    headers: {
      ...(credentials.apiKey ? { authorization: `Bearer ${credentials.apiKey}` } : {}),
      ...(typeof settings.organization === 'string' ? { 'openai-organization': settings.organization } : {}),
      ...(typeof settings.project === 'string' ? { 'openai-project': settings.project } : {}),
    },
  })
}

export function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}
