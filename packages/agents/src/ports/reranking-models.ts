import type { ModelAttempt, ProviderConnection } from './chat-models.ts'

/** Texts to rank by their relevance to a question. */
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
 * Port: reranking models. Returns indexes of the texts, most relevant first, perhaps not all; null if the model is not
 * a reranking model, so that it may be called as a chat model. Throws ChatModelError, and the reason of `signal`
 * unchanged.
 */
export interface RerankingModels {
  rerank(request: RerankRequest): Promise<readonly number[] | null>
}
