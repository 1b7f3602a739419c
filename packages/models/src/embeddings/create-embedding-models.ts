import type { EmbeddingModelV4, EmbeddingModelV4Result } from '@ai-sdk/provider'
import {
  ChatModelError,
  type Clock,
  type EmbeddingModels,
  type EmbeddingRequest,
  systemClock,
} from '@troupe/agents/ports'
import { isModelId } from '@troupe/contract'
import { type AttemptFailure, attemptFailure } from '../failover/attempt-failure.ts'
import { callFailed } from '../failover/public-errors.ts'
import type { ProviderDependencies } from '../provider/provider.ts'
import { checkedDependencies } from '../registry/checked-dependencies.ts'
import { PROVIDERS } from '../registry/providers.ts'
import { callWithRetries } from '../retries/call-with-retries.ts'

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
  return {
    async embed(request) {
      const model = await load(request, { fetch, clock })
      const perCall = Math.max(1, (await model.maxEmbeddingsPerCall) ?? request.texts.length)
      const vectors: number[][] = []
      for (let at = 0; at < request.texts.length; at += perCall) {
        const values = request.texts.slice(at, at + perCall)
        const found = await callWithRetries(request, clock, async (abortSignal) => {
          const result = await model.doEmbed({ values, abortSignal })
          const failure = problemOf(result, values.length)
          return { value: result.embeddings, tokens: result.usage?.tokens, failure }
        })
        vectors.push(...found)
      }
      return vectors
    },
  }
}

/** A provider is bound to its connection for one request: requests are rare, and binding costs less than a call. */
async function load(
  { connection, modelId }: EmbeddingRequest,
  dependencies: ProviderDependencies,
): Promise<EmbeddingModelV4> {
  const { description, loadEmbeddings } = PROVIDERS[connection.providerId]
  if (!loadEmbeddings) {
    throw new ChatModelError('fatal', `${description.label} has no embedding models.`, connection.providerId)
  }
  if (!isModelId(modelId)) throw callFailed(attemptFailure('model_not_found', 'not a model id'), '')
  return (await loadEmbeddings(connection, checkedDependencies(connection, dependencies)))(modelId)
}

/** A vector is missing, or has another length than the others: no retry would help. */
function problemOf({ embeddings }: EmbeddingModelV4Result, count: number): AttemptFailure | null {
  const length = embeddings[0]?.length ?? 0
  const isWhole = embeddings.length === count && embeddings.every((one) => one.length === length)
  return isWhole && length > 0
    ? null
    : attemptFailure('provider_error', 'vectors are missing', { kind: 'next' })
}
