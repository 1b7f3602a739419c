import type { ModelAttempt, ProviderConnection } from './chat-models.ts'

/** Texts to put in order by what they say about a question. */
export interface RerankRequest {
  connection: ProviderConnection
  modelId: string
  query: string
  texts: readonly string[]
  signal: AbortSignal
  /** Called once for every attempt, after it ended, successful or not. Must not throw. */
  onAttempt(attempt: ModelAttempt): void
}

/**
 * Port: rerank models. Returns the places of the texts, best first, perhaps not all; null when the model is no rerank
 * model, so that it may be asked as a chat model. Throws ChatModelError, and the reason of `signal` unchanged.
 */
export interface RerankingModels {
  rerank(request: RerankRequest): Promise<readonly number[] | null>
}
