import type { GivenKnowledgeBase, KnowledgeBaseRecord } from '@troupe/storage'

/** Default settings of a base. */
export const KNOWLEDGE_BASE_DEFAULTS = { lang: 'english', chunkTokens: 400, overlapTokens: 60 } as const

/** The fault of `overlap_tokens`, or null. */
export function overlapProblem({ chunkTokens, overlapTokens }: GivenKnowledgeBase): string | null {
  return overlapTokens * 2 > chunkTokens ? `must be at most half of chunk_tokens (${chunkTokens})` : null
}

/** The settings of a stored base as chosen by callers; its embedding model is the future one. */
export function givenOf(record: KnowledgeBaseRecord): GivenKnowledgeBase {
  const { next, setId: _, dims: __, createdAt: ___, updatedAt: ____, ...given } = record
  return next ? { ...given, embedding: { llmConfigId: next.llmConfigId, modelId: next.modelId } } : given
}

/** A base as recorded in the audit log. */
export function auditedKnowledgeBase(base: GivenKnowledgeBase): Record<string, unknown> {
  const { name, projectId, lang, embedding, chunkTokens, overlapTokens } = base
  return { name, projectId, lang, embedding, chunkTokens, overlapTokens }
}
