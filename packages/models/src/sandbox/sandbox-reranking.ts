import type { RerankingModelV4 } from '@ai-sdk/provider'
import { stemsOf } from './words.ts'

/**
 * The sandbox's rerank model, for every id: texts with more of the question's words rank higher, then shorter texts.
 */
export function createSandboxReranking(modelId: string): RerankingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'sandbox',
    modelId,
    async doRerank({ documents, query, abortSignal }) {
      abortSignal?.throwIfAborted()
      const texts =
        documents.type === 'text' ? documents.values : documents.values.map((one) => JSON.stringify(one))
      const asked = new Set(stemsOf(query))
      const ranking = texts.map((text, index) => {
        const words = new Set(stemsOf(text))
        const shared = [...asked].filter((word) => words.has(word)).length
        return { index, relevanceScore: shared + 1 / (2 + words.size) }
      })
      return { ranking }
    },
  }
}
