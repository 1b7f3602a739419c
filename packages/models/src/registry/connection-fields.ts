import { EMBEDDING_BATCH, type ProviderConnection } from '@troupe/agents/ports'
import type { ModelParameterName } from '@troupe/contract'
import type { ConnectionField, WireProtocol } from '../provider/provider.ts'

/** The only secret of most providers. */
export const API_KEY: ConnectionField = { name: 'apiKey', label: 'API key', required: true, kind: 'string' }

/** Additional request headers, for gateways. */
export const HEADERS_FIELD: ConnectionField = {
  name: 'headers',
  label: 'Additional headers',
  required: false,
  kind: 'headers',
}

/**
 * Reasoning that a model writes into the text of a plain answer, such as `<think>…</think>`; removed unless kept. It is
 * always removed if the text is parsed, spoken or given to a model.
 */
export const THOUGHTS_FIELD: ConnectionField = {
  name: 'thoughts',
  label: 'Thoughts written into answers',
  required: false,
  kind: 'choice',
  choices: ['remove', 'keep'],
}

/** Maximum texts of one embedding request; a larger batch than the provider accepts is halved. */
export const EMBEDDING_BATCH_FIELD: ConnectionField = {
  name: 'embeddingBatch',
  label: 'Texts per embedding request',
  required: false,
  kind: 'integer',
  range: [1, EMBEDDING_BATCH],
}

/** Request fields that some servers refuse; each is sent unless disabled. */
const STREAM_USAGE: ConnectionField = {
  name: 'streamUsage',
  label: 'Reports usage of streams',
  required: false,
  kind: 'boolean',
}
const STRUCTURED_OUTPUTS: ConnectionField = {
  name: 'structuredOutputs',
  label: 'Supports JSON schema',
  required: false,
  kind: 'boolean',
}
const STRICT_SCHEMAS: ConnectionField = {
  name: 'strictSchemas',
  label: 'Supports strict schemas',
  required: false,
  kind: 'boolean',
}

/** {@link STREAM_USAGE}, {@link STRUCTURED_OUTPUTS} and {@link STRICT_SCHEMAS}: models and gateways of every provider of OpenAI's protocols may refuse them. */
export const OPTIONAL_FIELDS: readonly ConnectionField[] = [STREAM_USAGE, STRUCTURED_OUTPUTS, STRICT_SCHEMAS]

/** Which of OpenAI's two protocols a connection uses; gateways often support only `chat`. */
export const OPENAI_API: ConnectionField = {
  name: 'api',
  label: 'API',
  required: false,
  kind: 'choice',
  choices: ['responses', 'chat'],
}

/** The protocol that {@link OPENAI_API} chooses. */
export function openaiProtocol({ api }: ProviderConnection['settings']): WireProtocol {
  return api === 'chat' ? 'chat' : 'responses'
}

/** Parameters that the Responses API, the default protocol, does not have. */
export function unusedOfOpenaiApi({ api }: ProviderConnection['settings']): readonly ModelParameterName[] {
  return api === 'chat' ? [] : ['seed', 'stop_sequences']
}

/** The named values that are present and not empty. */
export function present<Name extends string>(
  values: Record<string, unknown>,
  ...names: Name[]
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = values[name]
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}

/** The `headers` setting; `{}` if there is none. */
export function headersOf(connection: ProviderConnection): Record<string, string> {
  return (connection.settings.headers as Record<string, string> | undefined) ?? {}
}

/** Whether an id names a rerank model: providers list them beside chat models, and no API distinguishes them. */
export function isRerankModel(modelId: string): boolean {
  return modelId.toLowerCase().includes('rerank')
}

/**
 * A `fetch` for the connection: any additional header may be a credential, so they are not sent over plain http to
 * public addresses.
 */
export function fetchFor(
  connection: ProviderConnection,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  if (Object.keys(headersOf(connection)).length === 0) return fetch
  return (input, init) => fetch(input, { ...init, credentials: 'include' })
}
