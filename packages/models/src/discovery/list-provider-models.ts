import type { ProviderConnection } from '@troupe/agents/ports'
import {
  isJsonObject,
  JSON_BUDGET,
  type ModelKind,
  type ProviderId,
  parseJson,
  propertyOf,
} from '@troupe/contract'
import { fetchFor, headersOf } from '../registry/connection-fields.ts'
import { PROVIDERS } from '../registry/providers.ts'
import { offeredKind } from './offered-kind.ts'

/** A model in its provider's list; null: the list does not say. */
export interface OfferedModel {
  modelId: string
  displayName: string | null
  contextLength: number | null
  maxOutputTokens: number | null
  kind: ModelKind
}

/** Providers respond within seconds or not at all. */
const TIMEOUT_MS = 15_000
/** Gateways list a thousand models in under a megabyte. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_MODELS = 2_000
/** Aggregators list about sixty properties per model. */
const LIST_BUDGET = { ...JSON_BUDGET, characters: MAX_BYTES, values: 400_000 }

/** The models of a provider could not be listed. The message is safe for the public. */
export class ModelListError extends Error {
  override readonly name = 'ModelListError'
}

/** Whether the models of a provider can be listed. */
export function listsModels(providerId: ProviderId): boolean {
  return PROVIDERS[providerId].modelList !== null
}

/**
 * The models that a provider offers for this connection, by id; one request through `fetch`.
 *
 * @throws ModelListError
 */
export async function listProviderModels(
  connection: ProviderConnection,
  { fetch }: { fetch: typeof globalThis.fetch },
): Promise<OfferedModel[]> {
  const list = PROVIDERS[connection.providerId].modelList
  if (list === null) throw new ModelListError('This provider has no list of models.')
  const { url, headers } = list(connection)
  const answer = await fetchFor(connection, fetch)(url, {
    headers: { ...headers, ...headersOf(connection), accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new ModelListError(
      'The model provider could not be reached. Check the base URL, and that this server may reach that address.',
    )
  })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw new ModelListError(refusal(answer.status))
  }
  const models = modelsIn(await readJson(answer))
  return models.slice(0, MAX_MODELS).toSorted((a, b) => (a.modelId < b.modelId ? -1 : 1))
}

/** The provider's refusal, with the remedy. */
function refusal(status: number): string {
  if (status === 401 || status === 403) {
    return 'The key was refused by the model provider. Check that the key is complete, not revoked and made for this provider.'
  }
  if (status === 404) return 'The model provider has no list of models at this address. Check the base URL.'
  const said = `The model provider answered with status ${status}.`
  if (status === 429) {
    return `${said} Wait a minute, or raise the limit or the credit of the account at the provider.`
  }
  return status >= 500 ? `${said} Try again later.` : `${said} Check the base URL and the settings.`
}

const NO_LIST = 'The model provider did not return a list of models. Check the base URL.'

async function readJson(answer: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > MAX_BYTES) throw new Error('too large')
      chunks.push(chunk)
    }
  } catch {
    throw new ModelListError(NO_LIST)
  }
  const parsed = parseJson(Buffer.concat(chunks).toString('utf8'), LIST_BUDGET)
  if (!parsed.ok) throw new ModelListError(NO_LIST)
  return parsed.value
}

/** OpenAI, similar providers and Anthropic return `data`, Google `models`, Together a bare list. */
function modelsIn(body: unknown): OfferedModel[] {
  const items = Array.isArray(body) ? body : (propertyOf(body, 'data') ?? propertyOf(body, 'models'))
  if (!Array.isArray(items)) throw new ModelListError(NO_LIST)
  return items.flatMap((item) => {
    const id = text(propertyOf(item, 'id')) ?? text(propertyOf(item, 'name'))
    if (!isJsonObject(item) || id === null) return []
    const modelId = id.startsWith('models/') ? id.slice('models/'.length) : id
    return [
      {
        modelId,
        kind: offeredKind(item, modelId),
        displayName: text(item.display_name) ?? text(item.displayName),
        contextLength:
          count(item.context_length) ?? count(item.context_window) ?? count(item.inputTokenLimit),
        maxOutputTokens: count(item.max_completion_tokens) ?? count(item.outputTokenLimit),
      },
    ]
  })
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : null
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}
