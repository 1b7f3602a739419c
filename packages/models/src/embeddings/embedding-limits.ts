import { EMBEDDING_BATCH, type ProviderConnection } from '@troupe/agents/ports'
import { LRUCache } from 'lru-cache'
import type { EmbeddingHabits } from '../provider/provider.ts'

/** What was learned of an embedding model. */
export interface LearnedOfModel extends EmbeddingHabits {
  /** Texts that it has accepted in one request after it had refused more; null: it refused nothing. */
  batch: number | null
}

const MAX_MODELS = 500
const REMEMBERED_MS = 60 * 60_000

/** What this process has learned of embedding models, for an hour. An edited configuration is asked anew. */
export class EmbeddingLimits {
  readonly #models = new LRUCache<string, LearnedOfModel>({ max: MAX_MODELS, ttl: REMEMBERED_MS })

  /** What is known of a model; the caller changes it. */
  of({ llmConfigId, version }: ProviderConnection, modelId: string): LearnedOfModel {
    const key = JSON.stringify([llmConfigId, version, modelId])
    const known = this.#models.get(key) ?? { batch: null, acceptsFormat: true }
    this.#models.set(key, known)
    return known
  }
}

/** The texts that one request may have by the setting of the configuration. */
export function batchOf({ settings }: ProviderConnection): number {
  const { embeddingBatch } = settings
  const isSet = typeof embeddingBatch === 'number' && Number.isInteger(embeddingBatch) && embeddingBatch >= 1
  return isSet ? Math.min(embeddingBatch, EMBEDDING_BATCH) : EMBEDDING_BATCH
}
