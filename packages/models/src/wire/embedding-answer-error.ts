/** The answer of an embedding model cannot be used. The message ends a sentence, and repeats no text of the answer. */
export class EmbeddingAnswerError extends Error {
  override readonly name = 'EmbeddingAnswerError'
}
