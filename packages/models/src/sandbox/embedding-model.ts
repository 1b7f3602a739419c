import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { wordsOf } from './words.ts'

/** Length of the vectors of `sandbox-embed-1`. */
const DIMENSIONS = 256

/**
 * `sandbox-embed-1`: a hashed bag of words, L2-normalised, so that texts with the same words are near each other.
 * Deterministic, no network. A text without words gets a fixed unit vector, because cosine distance needs a length.
 */
export function createSandboxEmbeddingModel(): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'sandbox',
    modelId: 'sandbox-embed-1',
    maxEmbeddingsPerCall: 1000,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }) {
      abortSignal?.throwIfAborted()
      const words = values.map(wordsOf)
      return {
        embeddings: words.map(embed),
        usage: { tokens: words.reduce((sum, list) => sum + list.length, 0) },
        warnings: [],
      }
    },
  }
}

function embed(words: string[]): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const word of words) {
    const slot = hash(word) % DIMENSIONS
    vector[slot] = (vector[slot] ?? 0) + 1
  }
  if (words.length === 0) vector[0] = 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** FNV-1a, 32 bits, with a final mix: its low bits alone are too regular for short words. */
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < word.length; index++) {
    value = Math.imul(value ^ word.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}
