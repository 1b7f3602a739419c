import type { EmbeddingModelV4, EmbeddingModelV4Result } from '@ai-sdk/provider'
import {
  ChatModelError,
  type Clock,
  type EmbeddingModels,
  type EmbeddingRequest,
  systemClock,
} from '@troupe/agents/ports'
import { isModelId } from '@troupe/contract'
import { type AttemptFailure, attemptFailure, unusableVectors } from '../failover/attempt-failure.ts'
import { callFailed } from '../failover/public-errors.ts'
import type { EmbeddingHabits, ProviderDependencies } from '../provider/provider.ts'
import { checkedDependencies } from '../registry/checked-dependencies.ts'
import { PROVIDERS } from '../registry/providers.ts'
import { callWithRetries } from '../retries/call-with-retries.ts'
import { batchOf, EmbeddingLimits } from './embedding-limits.ts'

/** The external dependencies of embedding models. */
export interface EmbeddingModelsOptions {
  /** Used for every request of every provider; in production the guarded fetch. */
  fetch: typeof globalThis.fetch
  clock?: Clock
}

/** Embedding models of every provider that has them. Loads no provider package before the first request. */
export function createEmbeddingModels({
  fetch,
  clock = systemClock,
}: EmbeddingModelsOptions): EmbeddingModels {
  const limits = new EmbeddingLimits()
  return {
    async embed(request) {
      const { connection, modelId, texts } = request
      const learned = limits.of(connection, modelId)
      const model = await load(request, { fetch, clock, habits: learned })
      const perCall = (await model.maxEmbeddingsPerCall) ?? texts.length
      let size = Math.max(1, Math.min(perCall, batchOf(connection), learned.batch ?? texts.length))
      let isRefused = false
      const vectors: number[][] = []
      while (vectors.length < texts.length) {
        const values = texts.slice(vectors.length, vectors.length + size)
        try {
          vectors.push(...(await ask(request, { model, values, length: vectors[0]?.length ?? null, clock })))
          if (isRefused) learned.batch = size
        } catch (error) {
          if (values.length === 1 || !refusesSize(error)) throw error
          // The errors for too many texts and for too many tokens have many wordings, so any refused batch is halved.
          size = Math.ceil(values.length / 2)
          isRefused = true
        }
      }
      return vectors
    },
  }
}

/** The failures that a smaller batch may avoid. */
const OF_SIZE = new Set([
  ...['http_400', 'http_413', 'http_422', 'parameter_refused'],
  ...['request_too_large', 'rate_too_large', 'context_overflow'],
])

function refusesSize(error: unknown): boolean {
  return error instanceof ChatModelError && error.errorCode !== null && OF_SIZE.has(error.errorCode)
}

interface Batch {
  model: EmbeddingModelV4
  values: string[]
  /** Values of the vectors of the earlier batches; null for the first. */
  length: number | null
  clock: Clock
}

function ask(request: EmbeddingRequest, { model, values, length, clock }: Batch): Promise<number[][]> {
  return callWithRetries(request, clock, async (abortSignal) => {
    const result = await model.doEmbed({ values, abortSignal })
    const failure = problemOf(result, values.length, length)
    return { value: result.embeddings, tokens: result.usage?.tokens, failure }
  })
}

/**
 * A provider is bound to its connection for one request only: requests are rare, and binding costs less than a call.
 */
async function load(
  { connection, modelId }: EmbeddingRequest,
  { habits, ...dependencies }: ProviderDependencies & { habits: EmbeddingHabits },
): Promise<EmbeddingModelV4> {
  const { description, loadEmbeddings } = PROVIDERS[connection.providerId]
  if (!loadEmbeddings) {
    throw new ChatModelError('fatal', `${description.label} has no embedding models.`, connection.providerId)
  }
  if (!isModelId(modelId)) throw callFailed(attemptFailure('model_not_found', 'not a model id'), '')
  const checked = checkedDependencies(connection, dependencies)
  return (await loadEmbeddings(connection, { ...checked, habits }))(modelId)
}

/** A vector is missing, or its length differs from the others: a retry would not help. */
function problemOf(
  { embeddings }: EmbeddingModelV4Result,
  count: number,
  earlier: number | null,
): AttemptFailure | null {
  const wanted = earlier ?? embeddings[0]?.length ?? 0
  if (embeddings.length !== count) {
    return unusableVectors(`it has ${embeddings.length} vectors for ${count} texts`)
  }
  if (wanted === 0) return unusableVectors('it has a vector without values')
  const other = embeddings.find((one) => one.length !== wanted)
  return other ? unusableVectors(`it has vectors of ${wanted} and of ${other.length} values`) : null
}
