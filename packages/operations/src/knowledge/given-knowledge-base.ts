import type { GivenKnowledgeBase, KnowledgeBaseRecord } from '@troupe/storage'

/** What a base has when nothing else is said. */
export const KNOWLEDGE_BASE_DEFAULTS = { lang: 'english', chunkTokens: 400, overlapTokens: 60 } as const

/** A message for `overlap_tokens`, or null. */
export function overlapProblem({ chunkTokens, overlapTokens }: GivenKnowledgeBase): string | null {
  return overlapTokens * 2 > chunkTokens ? `must be at most half of chunk_tokens (${chunkTokens})` : null
}

/** What callers chose of a stored base; its embedding model is the one that it will have. */
export function givenOf(record: KnowledgeBaseRecord): GivenKnowledgeBase {
  const { next, setId: _, dims: __, createdAt: ___, updatedAt: ____, ...given } = record
  return next ? { ...given, embedding: { llmConfigId: next.llmConfigId, modelId: next.modelId } } : given
}

/** A base as the audit log keeps it. */
export function auditedKnowledgeBase(base: GivenKnowledgeBase): Record<string, unknown> {
  const { name, projectId, lang, embedding, chunkTokens, overlapTokens } = base
  return { name, projectId, lang, embedding, chunkTokens, overlapTokens }
}
