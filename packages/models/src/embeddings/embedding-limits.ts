import { EMBEDDING_BATCH, type ProviderConnection } from '@troupe/agents/ports'
import { LRUCache } from 'lru-cache'
import type { EmbeddingHabits } from '../provider/provider.ts'

/** The learned limits of an embedding model. */
export interface LearnedOfModel extends EmbeddingHabits {
  /** Maximum accepted texts of one request, after a larger request was refused; null: none was refused. */
  batch: number | null
}

const MAX_MODELS = 500
const REMEMBERED_MS = 60 * 60_000

/** The limits of embedding models that this process has learned, for an hour. An edited configuration starts without them. */
export class EmbeddingLimits {
  readonly #models = new LRUCache<string, LearnedOfModel>({ max: MAX_MODELS, ttl: REMEMBERED_MS })

  /** The learned limits of a model; the caller changes them. */
  of({ llmConfigId, version }: ProviderConnection, modelId: string): LearnedOfModel {
    const key = JSON.stringify([llmConfigId, version, modelId])
    const known = this.#models.get(key) ?? { batch: null, acceptsFormat: true }
    this.#models.set(key, known)
    return known
  }
}

/** Maximum texts of one request by the setting of the configuration. */
export function batchOf({ settings }: ProviderConnection): number {
  const { embeddingBatch } = settings
  const isSet = typeof embeddingBatch === 'number' && Number.isInteger(embeddingBatch) && embeddingBatch >= 1
  return isSet ? Math.min(embeddingBatch, EMBEDDING_BATCH) : EMBEDDING_BATCH
}
