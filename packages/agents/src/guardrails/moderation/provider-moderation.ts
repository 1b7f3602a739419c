import { isJsonObject, type ModerationCategory, propertyOf } from '@troupe/contract'
import type { ProviderConnection } from '../../ports/index.ts'
import { readJson } from '../webhook/read-json.ts'

const TIMEOUT_MS = 10_000

interface ModerationInterface {
  baseUrl: string
  modelId: string
  /** Prefixes of the provider's categories. */
  categories: readonly (readonly [string, ModerationCategory])[]
}

/** Providers with a compatible `POST /moderations`. */
const INTERFACES: Partial<Record<ProviderConnection['providerId'], ModerationInterface>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    modelId: 'omni-moderation-latest',
    categories: [
      ['harassment', 'harassment'],
      ['hate', 'hate'],
      ['illicit', 'illicit'],
      ['self-harm', 'self_harm'],
      ['sexual', 'sexual'],
      ['violence', 'violence'],
    ],
  },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    modelId: 'mistral-moderation-latest',
    categories: [
      ['hate_and_discrimination', 'hate'],
      ['dangerous_and_criminal_content', 'illicit'],
      ['selfharm', 'self_harm'],
      ['sexual', 'sexual'],
      ['violence_and_threats', 'violence'],
    ],
  },
}

/** Queries a provider. Rejects when it returns no verdict. */
export type AskProvider = (
  text: string,
  request: { fetch: typeof globalThis.fetch; signal: AbortSignal },
) => Promise<ReadonlySet<ModerationCategory>>

/**
 * The moderation API of a configuration's provider. null if it has none, or if another kind of model is configured,
 * which is then called like any model.
 */
export function moderatedBy(connection: ProviderConnection, modelId: string | null): AskProvider | null {
  const known = INTERFACES[connection.providerId]
  if (!known || (modelId !== null && !modelId.includes('moderation'))) return null
  return async (text, { fetch, signal }) => {
    const base = (connection.baseUrl ?? known.baseUrl).replace(/\/$/, '')
    const response = await fetch(`${base}/moderations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${connection.credentials.apiKey ?? ''}`,
      },
      body: JSON.stringify({ model: modelId ?? known.modelId, input: text }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const answer = await readJson(response)
    const results = propertyOf(answer, 'results')
    const given = Array.isArray(results) ? propertyOf(results[0], 'categories') : undefined
    if (!isJsonObject(given)) throw new Error('The provider returned no verdict.')
    const flagged = Object.keys(given).filter((name) => given[name] === true)
    return new Set(
      known.categories.flatMap(([start, category]) =>
        flagged.some((name) => name.startsWith(start)) ? [category] : [],
      ),
    )
  }
}
