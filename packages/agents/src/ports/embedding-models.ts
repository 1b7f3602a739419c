import type { ModelAttempt, ProviderConnection } from './chat-models.ts'

/** Texts to embed with one model. */
export interface EmbeddingRequest {
  connection: ProviderConnection
  modelId: string
  /** At most {@link EMBEDDING_BATCH}. */
  texts: readonly string[]
  signal: AbortSignal
  /** Called once for every attempt, after it ended, successful or not. Must not throw. */
  onAttempt(attempt: ModelAttempt): void
}

/** Maximum texts of one request. */
export const EMBEDDING_BATCH = 64

/**
 * Port: embedding models. Returns a vector for each text, in order, all of the same length. Throws ChatModelError, `fatal`
 * when the same request would fail again, and the reason of `signal` unchanged.
 */
export interface EmbeddingModels {
  embed(request: EmbeddingRequest): Promise<readonly (readonly number[])[]>
}
