import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { countWords, stemsOf } from './words.ts'

/** The only embedding model of the sandbox. */
const SANDBOX_EMBEDDING = 'sandbox-embed-1'
const DIMENSIONS = 256
const PER_CALL = 64

/** FNV-1a, 32 bits: deterministic and the same on every machine. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/**
 * A bag of hashed words: each word adds 1 to or subtracts 1 from one of 256 dimensions. Texts with common words are
 * similar; a text without words has a fixed direction.
 */
function embed(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const word of stemsOf(text)) {
    const bits = hash(word)
    const at = bits % DIMENSIONS
    vector[at] = (vector[at] ?? 0) + (bits & 0x80000000 ? -1 : 1)
  }
  if (!vector.some((value) => value !== 0)) vector[0] = 1
  return vector
}

/** The sandbox's embedding model. It refuses every other id, like a provider refuses an unknown model. */
export function createSandboxEmbedding(modelId: string): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'sandbox',
    modelId,
    maxEmbeddingsPerCall: PER_CALL,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }) {
      abortSignal?.throwIfAborted()
      if (modelId !== SANDBOX_EMBEDDING) {
        throw Object.assign(new Error(`model ${modelId} not found`), { statusCode: 404 })
      }
      const tokens = values.reduce((sum, text) => sum + countWords(text), 0)
      return { embeddings: values.map(embed), usage: { tokens }, warnings: [] }
    },
  }
}
