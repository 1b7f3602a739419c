import { EMBEDDING_BATCH, type ProviderConnection } from '@troupe/agents/ports'
import type { EmbeddingHabits } from '../provider/provider.ts'

/** What was learned of an embedding model. */
export interface LearnedOfModel extends EmbeddingHabits {
  /** Texts that it has accepted in one request after it had refused more; null: it refused nothing. */
  batch: number | null
}

const MAX_MODELS = 500

/** What this process has learned of embedding models. An edited configuration is asked anew. */
export class EmbeddingLimits {
  readonly #models = new Map<string, LearnedOfModel>()

  /** What is known of a model; the caller changes it. */
  of({ llmConfigId, version }: ProviderConnection, modelId: string): LearnedOfModel {
    const key = JSON.stringify([llmConfigId, version, modelId])
    const known = this.#models.get(key) ?? { batch: null, acceptsFormat: true }
    this.#models.set(key, known)
    const [oldest] = this.#models.keys()
    if (this.#models.size > MAX_MODELS && oldest !== undefined) this.#models.delete(oldest)
    return known
  }
}

/** The texts that one request may have by the setting of the configuration. */
export function batchOf({ settings }: ProviderConnection): number {
  const { embeddingBatch } = settings
  const isSet = typeof embeddingBatch === 'number' && Number.isInteger(embeddingBatch) && embeddingBatch >= 1
  return isSet ? Math.min(embeddingBatch, EMBEDDING_BATCH) : EMBEDDING_BATCH
}
