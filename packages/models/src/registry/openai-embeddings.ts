import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import type { ProviderConnection } from '@troupe/agents/ports'
import { isJsonObject, type JsonBudget, parseJson, propertyOf } from '@troupe/contract'
import type { EmbeddingHabits, ProviderDefinition, ProviderDependencies } from '../provider/provider.ts'
import { EmbeddingAnswerError } from '../wire/embedding-answer-error.ts'

type Fetch = typeof globalThis.fetch

/** Maximum bytes of a response: 64 vectors of 8,192 values with 25 characters each fit. */
const BUDGET: JsonBudget = {
  characters: 16 * 1024 * 1024,
  levels: 8,
  values: 2_000_000,
  keys: 1_000,
  keyCharacters: 1_000,
}
/** Maximum characters of an error that are searched for the refused field. */
const MAX_ERROR = 64 * 1024

/**
 * The embedding models of a provider with OpenAI's `/embeddings`.
 *
 * @param connect the package's provider, whose requests go through the given fetch
 * @param placeOf the id of a model in the request
 */
export function openaiEmbeddings(
  connect: (
    connection: ProviderConnection,
    dependencies: ProviderDependencies,
  ) => Promise<{ embeddingModel(modelId: string): EmbeddingModelV4 }>,
  placeOf: (connection: ProviderConnection) => (modelId: string) => string = () => (modelId) => modelId,
): NonNullable<ProviderDefinition['loadEmbeddings']> {
  return async (connection, dependencies) => {
    const provider = await connect(connection, dependencies)
    const place = placeOf(connection)
    return (modelId) => {
      const bind = async (fetch: Fetch) =>
        (await connect(connection, { ...dependencies, fetch })).embeddingModel(place(modelId))
      return embeddingModel(provider.embeddingModel(place(modelId)), bind, dependencies)
    }
  }
}

/**
 * The package makes the request, but the response is read here, because the package ignores `index` and refuses vectors
 * in base64.
 */
function embeddingModel(
  model: EmbeddingModelV4,
  bind: (fetch: Fetch) => Promise<EmbeddingModelV4>,
  { fetch, habits }: { fetch: Fetch; habits: EmbeddingHabits },
): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    async doEmbed(options) {
      let vectors: number[][] = []
      const bound = await bind(async (input, init) => {
        const response = await ask(input, init, { fetch, habits })
        if (!response.ok) return response
        const body = parseJson(await limitedText(response, BUDGET.characters), BUDGET)
        if (!body.ok) throw new EmbeddingAnswerError(`it is ${body.excess ?? 'not JSON'}`)
        vectors = vectorsIn(body.value, options.values.length)
        // The package is only used to read the usage.
        return Response.json({ data: [], usage: usageIn(body.value) }, { headers: requestIdOf(response) })
      })
      return { ...(await bound.doEmbed(options)), embeddings: vectors }
    },
  }
}

/** One request, repeated without `encoding_format` if the server refuses that field. */
async function ask(
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
  { fetch, habits }: { fetch: Fetch; habits: EmbeddingHabits },
): Promise<Response> {
  if (!habits.acceptsFormat) return fetch(input, withoutFormat(init))
  const response = await fetch(input, init)
  if (response.status !== 400 && response.status !== 415 && response.status !== 422) return response
  const text = await limitedText(response, MAX_ERROR)
  if (!text.includes('encoding_format')) {
    return new Response(text, { status: response.status, headers: response.headers })
  }
  const second = await fetch(input, withoutFormat(init))
  if (second.ok) habits.acceptsFormat = false
  return second
}

function withoutFormat(init: Parameters<Fetch>[1]): Parameters<Fetch>[1] {
  const body = typeof init?.body === 'string' ? parseJson(init.body, { ...BUDGET }) : null
  if (!body?.ok || !isJsonObject(body.value)) return init
  const { encoding_format: _, ...rest } = body.value
  return { ...init, body: JSON.stringify(rest) }
}

async function limitedText(response: Response, characters: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > characters) throw new EmbeddingAnswerError(`it has more than ${characters} characters`)
  }
  return text + decoder.decode()
}

function usageIn(body: unknown): { prompt_tokens: number } | undefined {
  const usage = propertyOf(body, 'usage')
  const tokens = propertyOf(usage, 'prompt_tokens') ?? propertyOf(usage, 'total_tokens')
  return typeof tokens === 'number' ? { prompt_tokens: tokens } : undefined
}

function requestIdOf({ headers }: Response): Record<string, string> {
  const id = headers.get('x-request-id')
  return id === null ? {} : { 'x-request-id': id }
}

/**
 * The vectors of a response in the order of their texts.
 *
 * @throws EmbeddingAnswerError if one is missing, repeated or not a vector
 */
export function vectorsIn(body: unknown, count: number): number[][] {
  const data = propertyOf(body, 'data')
  if (!Array.isArray(data)) throw new EmbeddingAnswerError('it has no list of vectors')
  if (data.length !== count) {
    throw new EmbeddingAnswerError(`it has ${data.length} vectors for ${count} texts`)
  }
  const places = placesOf(data)
  const vectors = new Array<number[] | undefined>(count).fill(undefined)
  for (const [at, item] of data.entries()) {
    const place = places[at] ?? -1
    if (place < 0 || place >= count) {
      throw new EmbeddingAnswerError(`it has a vector with the index ${place} for ${count} texts`)
    }
    if (vectors[place]) throw new EmbeddingAnswerError(`it has two vectors with the index ${place}`)
    vectors[place] = vectorOf(propertyOf(item, 'embedding'))
  }
  return vectors.filter((vector) => vector !== undefined)
}

/**
 * The position of each item. Servers without indexes keep the order of the texts, and protocol buffers omit the index 0
 * (https://github.com/samfoy/pi-session-search/issues/13).
 */
function placesOf(data: readonly unknown[]): number[] {
  const indexes = data.map((item) => propertyOf(item, 'index') ?? null)
  if (indexes.every((index) => index === null)) return data.map((_, at) => at)
  return indexes.map((index) => {
    if (index === null) return 0
    if (typeof index === 'number' && Number.isSafeInteger(index)) return index
    throw new EmbeddingAnswerError('it has an index that is not a whole number')
  })
}

/** A list of numbers, or single-precision numbers in base64, little-endian. */
function vectorOf(embedding: unknown): number[] {
  if (typeof embedding === 'string') return fromBase64(embedding)
  const isVector = Array.isArray(embedding) && embedding.every((value) => Number.isFinite(value))
  if (!isVector || embedding.length === 0)
    throw new EmbeddingAnswerError('it has an item that is not a vector')
  return embedding
}

function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) {
    throw new EmbeddingAnswerError('it has a vector in base64 that is not a list of numbers')
  }
  const vector = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
  if (!vector.every((value) => Number.isFinite(value))) {
    throw new EmbeddingAnswerError('it has a vector with values that are not numbers')
  }
  return vector
}
