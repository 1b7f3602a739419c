import type { KnowledgeSearch } from '../ports/knowledge.ts'

/** Knowledge bases without any document. */
export const NO_KNOWLEDGE: KnowledgeSearch = {
  search: async () => ({ kind: 'found', passages: [] }),
}
