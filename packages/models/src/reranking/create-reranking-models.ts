import type { RerankingModelV4Result } from '@ai-sdk/provider'
import { type Clock, type RerankingModels, systemClock } from '@troupe/agents/ports'
import { attemptFailure } from '../failover/attempt-failure.ts'
import { checkedDependencies } from '../registry/checked-dependencies.ts'
import { PROVIDERS } from '../registry/providers.ts'
import { callWithRetries } from '../retries/call-with-retries.ts'

/** Rerank models of the providers that have them. Loads no provider package before the first request. */
export function createRerankingModels({
  fetch,
  clock = systemClock,
}: {
  /** Used for every request of every provider; in production the guarded fetch. */
  fetch: typeof globalThis.fetch
  clock?: Clock
}): RerankingModels {
  return {
    async rerank(request) {
      const { connection, modelId, query, texts } = request
      const load = PROVIDERS[connection.providerId].loadReranking
      const model =
        (await load?.(connection, checkedDependencies(connection, { fetch, clock })))?.(modelId) ?? null
      if (model === null) return null
      return callWithRetries(request, clock, async (abortSignal) => {
        const documents = { type: 'text' as const, values: [...texts] }
        const result = await model.doRerank({ documents, query, topN: texts.length, abortSignal })
        const value = orderOf(result, texts.length)
        const failure = value.length > 0 ? null : attemptFailure('provider_error', 'no ranking')
        return { value, tokens: undefined, failure }
      })
    },
  }
}

/** The indexes of the texts, best first; unknown and repeated ones are omitted. */
function orderOf({ ranking }: RerankingModelV4Result, count: number): number[] {
  const best = ranking.toSorted((a, b) => b.relevanceScore - a.relevanceScore)
  const places = best.map(({ index }) => index).filter((at) => Number.isInteger(at) && at >= 0 && at < count)
  return [...new Set(places)]
}
