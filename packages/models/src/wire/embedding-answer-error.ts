/**
 * The response of an embedding model cannot be used. The message ends a sentence, and does not repeat text of the
 * response.
 */
export class EmbeddingAnswerError extends Error {
  override readonly name = 'EmbeddingAnswerError'
}
