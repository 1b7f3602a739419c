import type { KnowledgeSearch } from '../ports/knowledge.ts'
import type { RerankingModels } from '../ports/reranking-models.ts'

/** No model is a rerank model. */
export const NO_RERANKING: RerankingModels = { rerank: async () => null }

/** Knowledge bases without any document. */
export const NO_KNOWLEDGE: KnowledgeSearch = {
  search: async () => ({ kind: 'found', passages: [] }),
}
